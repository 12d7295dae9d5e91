// Embedded values of rows: see `Embedding`.

extension RowDecodingContext {
  /// Whether a value is decoded that is embedded in a record.
  var isEmbedded: Bool { embedding?.isValue == true }

  /// The columns of the embedded value of a key that the row has. Nil for other keys.
  func embeddedColumns(_ key: any CodingKey) -> [Int]? {
    guard let embedding, embedding.embeds(key) else { return nil }
    return columns(inside: embedding.path + [key])
  }

  /// The columns of the embedded value that the row has.
  var embeddedColumns: [Int] { embedding.map { columns(of: $0) } ?? [] }

  /// The columns of an embedded value that the row has: all that have its prefix, if they are not
  /// known.
  func columns(of value: Embedding) -> [Int] {
    value.failure == nil
      ? value.properties.compactMap { column(at: $0.path) } : columns(inside: value.path)
  }

  private func columns(inside path: [any CodingKey]) -> [Int] {
    let names = (try? row().layout.columnNames) ?? []
    return names.indices.filter {
      !strategy.remainders(of: names[$0][...], after: path[...]).isEmpty
    }
  }

  /// The column of a property of an embedded value.
  func column(at path: [any CodingKey]) -> Int? {
    guard let layout = try? row().layout else { return nil }
    if case .useDefaultKeys = strategy { return layout.index(ofColumn: columnName(path)) }
    return layout.columnNames.firstIndex { strategy.isName($0, of: path) }
  }

  /// The name that the column of a property of an embedded value should have.
  func columnName(_ path: [any CodingKey]) -> String {
    path.map(strategy.column(forKey:)).joined(separator: "_")
  }

  /// The key of a property for strategies, and for errors.
  func propertyKey(_ key: any CodingKey) -> any CodingKey { embedding?.propertyKey(key) ?? key }

  /// The value of an optional property without column.
  ///
  /// - Throws: `DatabaseError` for a value that should be embedded.
  func absentValue<Value>(_ key: any CodingKey) throws -> Value? {
    if let embedding, embedding.embeds(key) { throw embedding.misuse(ofKey: key) }
    return try withRow { _ in nil }
  }
}

extension Embedding {
  /// The coding keys of some columns.
  func keys(_ columns: [String], _ strategy: DatabaseColumnDecodingStrategy) -> [String] {
    let found = columns.flatMap { strategy.remainders(of: $0[...], after: path[...]) }
      .map { strategy.codingKey(ofColumn: String($0)) }
    let embedded = keyNames.filter { name in
      let path = path + [EmbeddedKey(stringValue: name)]
      return columns.contains { !strategy.remainders(of: $0[...], after: path[...]).isEmpty }
    }
    return found + embedded
  }
}

extension KeyedRowDecoding {
  /// The decoder of a property whose value is embedded.
  func embeddedProperty<T: Decodable>(
    _ type: T.Type, _ key: any CodingKey, _ outer: Embedding
  ) throws -> PropertyDecoder<T> {
    if let optional = type as? any WrappingType.Type,
      let wrapped = optional.wrappedType as? any Decodable.Type
    {
      return try known(optionalProperty(of: wrapped, key, outer), as: PropertyDecoder<T>.self)
    }
    let value = try outer.value(of: type, key)
    let row = try context.row()
    if !outer.isValue {
      try outer.checkColumns(of: context.recordType)
      if row.associationKeys.contains(where: key.stringValue.isSameIdentifier) {
        throw value.misuse(asAssociation: row.decodingContext().sql)
      }
    }
    return context.embeddedProperty(type, value)
  }

  private func optionalProperty<T: Decodable>(
    of type: T.Type, _ key: any CodingKey, _ outer: Embedding
  ) throws -> AnyObject { try embeddedProperty(type, key, outer).optional }

  /// The decoder of the embedded value of a key, nil for other keys.
  func embeddedDecoder(_ key: any CodingKey) throws -> RecordDecoder? {
    guard let embedding = context.embedding, embedding.embeds(key) else { return nil }
    let decoder = RecordDecoder(RowDecodingContext(context, embedding.value(at: key)))
    embeddedDecoders.updateValue(decoder, forKey: BinaryText(key.stringValue))?.end()
    return decoder
  }
}

extension RowDecodingContext {
  fileprivate func embeddedProperty<T: Decodable>(
    _ type: T.Type, _ value: Embedding
  ) -> PropertyDecoder<T> {
    let columns = columns(of: value)
    var decoder = RecordDecoder(RowDecodingContext(self, value))
    let decode = { [self] (row: Row) throws -> T in
      // An earlier value has kept the decoder.
      if !isKnownUniquelyReferenced(&decoder) {
        decoder.end()
        decoder = RecordDecoder(RowDecodingContext(self, value))
      }
      decoder.forgetSharedContainers()
      return try T(from: decoder)
    }
    return PropertyDecoder(decode) { row in
      columns.allSatisfy { row.isNull(at: $0) } ? nil : try decode(row)
    }
  }
}

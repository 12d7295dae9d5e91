extension RowDecodingContext {
  /// The decoder of a property that is in a scope of the row.
  func scopeProperty<T: Decodable>(
    _ type: T.Type, _ path: [String], _ key: any CodingKey
  ) -> PropertyDecoder<T> {
    if let decode = PropertyDecoder<T>.recordDecoder { return .inScope(path, decode) }
    let recordType = recordType
    let codingPath = codingPath + [key]
    return .inScope(path) { row in
      try T(from: row.recordDecoder(for: recordType, style: .nested, path: codingPath))
    }
  }

  /// The decoder of a property that is a collection of prefetched rows.
  func prefetchedProperty<T: Decodable>(
    _ type: T.Type, _ property: any CodingKey, _ key: String
  ) -> PropertyDecoder<T> {
    let decoder = PrefetchedRowsDecoder(recordType: recordType, codingPath: codingPath + [property])
    if let type = type as? any PrefetchedCollection.Type {
      return known(Self.collection(type, decoder, key), as: PropertyDecoder<T>.self)
    }
    return .prefetched { row in
      var decoder = decoder
      decoder.rows = try decoder.group(forKey: key, in: row).rows
      return try T(from: decoder)
    }
  }

  private static func collection<C: PrefetchedCollection>(
    _ type: C.Type, _ decoder: PrefetchedRowsDecoder, _ key: String
  ) -> AnyObject {
    let decode =
      PropertyDecoder<C.Element>.recordDecoder ?? { try decoder.element(C.Element.self, from: $0) }
    return PropertyDecoder<C>.prefetched { try C(decoder.group(forKey: key, in: $0), decode) }
  }
}

extension PropertyDecoder {
  fileprivate static func prefetched(_ decode: @escaping (Row) throws -> T) -> PropertyDecoder {
    PropertyDecoder(decode, ifPresent: decode)
  }

  fileprivate static func inScope(
    _ path: [String], _ decode: @escaping (Row) throws -> T
  ) -> PropertyDecoder {
    // The scope is the same one for all rows.
    var isLeftOut: Bool?
    return PropertyDecoder { row in
      try decode(row.childRow(at: path))
    } ifPresent: { row in
      let child = try row.childRow(at: path)
      guard child.containsNonNullValue, isLeftOut != true else { return nil }
      if isLeftOut == false || !child.isLink { return try decode(child) }
      let value = try child.decodeLink(decode)
      isLeftOut = value == nil
      return value
    }
  }

  /// The decoder of a property other than a value, without column or scope: the main record of a
  /// join.
  static func main(
    _ type: T.Type, _ key: any CodingKey, _ keyed: KeyedRowDecoding
  ) -> PropertyDecoder where T: Decodable {
    let decode = mainDecoder(type, key, keyed.context)
    let index = keyed.mainIndex(
      of: key, isCollection: type is any PrefetchedCollection.Type)
    // The table owns this decoder.
    return PropertyDecoder { [keyed = Unretained(keyed)] row in
      try keyed.use { try $0.enterMainProperty(index) }
      let extras = row.makeExtras()
      let id = ObjectIdentifier(type)
      // A type that has itself as such a property would never end.
      if extras.mainTypes.contains(id) { throw keyed.object.noSuchKey(index, in: row) }
      extras.mainTypes.append(id)
      defer { extras.mainTypes.removeLast() }
      return try decode(row)
    } ifPresent: { _ in
      nil
    }
  }

  private static func mainDecoder(
    _ type: T.Type, _ key: any CodingKey, _ context: RowDecodingContext
  ) -> (Row) throws -> T where T: Decodable {
    if let decode = recordDecoder { return decode }
    let recordType = context.recordType
    // Not kept in the cache of the row: several properties may be tried, each with its own path.
    return { [codingPath = context.codingPath + [key]] row in
      let reference = RowReference(row: row)
      defer { reference.end() }
      let context = RowDecodingContext(
        recordType: recordType, style: .nested, reference: reference, codingPath: codingPath)
      return try T(from: RecordDecoder(context))
    }
  }

  /// A function that decodes a record from its row. Nil for types that are not records.
  static var recordDecoder: ((Row) throws -> T)? {
    guard let type = T.self as? any FetchableRecord.Type else { return nil }
    return known(recordInRow(type), as: PropertyDecoder.self).decode
  }

  private static func recordInRow<R: FetchableRecord>(_ type: R.Type) -> AnyObject {
    PropertyDecoder<R>({ try R.decodeWithErrors(from: $0) }, ifPresent: { _ in nil })
  }
}

extension FetchableRecord {
  /// Decodes a record, and throws the error that the subscripts of the row remember.
  static func decodeWithErrors(from row: Row) throws -> Self {
    if row.isDecodingRecord { return try decoded(from: row) }
    row.isDecodingRecord = true
    defer { row.isDecodingRecord = false }
    do {
      let record = try decoded(from: row)
      // Scopes hand their failures on.
      try row.root.use { try $0.throwDecodingError() }
      return record
    } catch {
      throw row.failure(before: error)
    }
  }
}

extension Row {
  fileprivate func childRow(at path: [String]) throws -> Row {
    if path.count == 1, let child = scope(named: path[0]) { return child }
    var row = self
    for name in path {
      guard let child = row.scope(named: name) else { throw missingScopeError(name) }
      row = child
    }
    return row
  }
}

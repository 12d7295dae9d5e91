/// The columns and coders that a type of coding keys is read from.
@safe final class KeyedRowDecoding: KeyTable {
  let context: RowDecodingContext

  /// The property that was decoded from the row itself, as the main record of a join is: an index
  /// in `mainKeys`. Only one can be, for each row.
  private var mainProperty: Int?
  private var mainKeys: [(key: any CodingKey, isCollection: Bool)] = []
  /// The decoders of embedded values that are decoded by nested containers, until the key is
  /// decoded again.
  var embeddedDecoders: [BinaryText: RecordDecoder] = [:]

  init<Key: CodingKey>(_ context: RowDecodingContext, _ type: Key.Type) {
    self.context = context
    super.init(type, .make(for: KeyedDecodingContainer<Key>.self))
    box.fill(KeyedDecodingContainer(KeyedRowContainer<Key>(self)))
  }

  /// The container over this table, for the next values of the row.
  @inline(__always)
  func containerForNextRow<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
    mainProperty = nil
    return box.container(KeyedDecodingContainer<Key>.self)
  }

  /// The column of a key, or a negative number.
  @inline(__always) func column(_ number: Int, _ key: () -> any CodingKey) -> Int {
    position(number) ?? findColumn(number, key())
  }

  private func findColumn(_ number: Int, _ key: any CodingKey) -> Int {
    let column = context.column(forKey: key) ?? -1
    setPosition(number, column)
    return column
  }

  /// The value of a column of a row in memory, or of a live row where the fast path fails.
  func value<V: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: V.Type, _ column: Int
  ) throws -> V {
    try context.withRow { row in
      let value = row.unownedBatch?.use {
        V._fromColumn(
          $0.databaseValue(row: row.batchIndex, column: row.layout.physicalIndex(column)))
      }
      if let value { return value }
      return try row.decode(type, atIndex: column)
    }
  }

  /// The decoder of a property other than a plain value.
  @inline(__always) func property<T: Decodable>(
    _ type: T.Type, _ number: Int, _ key: () -> any CodingKey
  ) throws -> PropertyDecoder<T> {
    if let property = coder(number, for: type) {
      return known(property, as: PropertyDecoder<T>.self)
    }
    return try makeProperty(type, number, key())
  }

  private func makeProperty<T: Decodable>(
    _ type: T.Type, _ number: Int, _ key: any CodingKey
  ) throws -> PropertyDecoder<T> {
    let column = column(number, { key })
    let property =
      if column >= 0 {
        context.valueProperty(type, column, key) ?? context.codedProperty(type, column, key)
      } else {
        try absentColumnProperty(type, key)
      }
    setCoder(number, for: type, property)
    if property.isDeferredDate { rememberDates(number) }
    return property
  }

  /// The decoder of a property without column: a scope, prefetched rows, or the row itself.
  private func absentColumnProperty<T: Decodable>(
    _ type: T.Type, _ key: any CodingKey
  ) throws -> PropertyDecoder<T> {
    if let embedding = context.embedding {
      if embedding.embeds(key) { return try embeddedProperty(type, key, embedding) }
      if embedding.isValue { return .missing(type, key, context) }
    }
    if let refusal = Embedding.refusal(of: type) { throw refusal }
    let row = try context.row()
    let name = key.stringValue
    switch row.association(forProperty: name) {
    case .scopes(let paths):
      try context.refuseAmbiguity(of: key, at: paths, in: row)
      return context.scopeProperty(type, paths[0], key)
    case .prefetched(let associationKey):
      return context.prefetchedProperty(type, key, associationKey)
    case nil: break
    }
    if type is any DatabaseValueConvertible.Type || type is any WrappingType.Type {
      return .missing(type, key, context)
    }
    return .main(type, key, self)
  }

  /// The index of a property that is decoded from the row itself.
  func mainIndex(of key: any CodingKey, isCollection: Bool) -> Int {
    mainKeys.append((key: key, isCollection: isCollection))
    return mainKeys.count - 1
  }

  /// Remembers which property is decoded from the row itself.
  ///
  /// - Throws: `DecodingError` when another one was.
  func enterMainProperty(_ index: Int) throws {
    let main = mainProperty ?? index
    mainProperty = main
    if main == index { return }
    let names = [mainKeys[index], mainKeys[main]].map(\.key.stringValue)
    if names[0].hasSameBytes(as: names[1]) { return }
    let sorted = names.sorted().joined(separator: " or ")
    throw try noSuchKey(index, orOther: sorted, in: context.row())
  }

  /// The error for a property that can't be decoded from the row itself.
  func noSuchKey(_ index: Int, orOther names: String? = nil, in row: Row) -> DecodingError {
    let (key, isCollection) = mainKeys[index]
    let available = row.associationKeys
    let advice = available.isEmpty ? "" : " - available keys: \(available)"
    return .keyNotFound(
      key,
      .init(
        codingPath: context.codingPath,
        debugDescription: "No such key: \(names ?? key.stringValue + advice)",
        underlyingError: ColumnDecodingFailure(
          missing: key, row: row, recordType: context.recordType, isCollection: isCollection)))
  }
}

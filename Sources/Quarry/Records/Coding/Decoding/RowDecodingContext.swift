/// The record type, the path, and the row of a decoder, which all of its parts share.
final class RowDecodingContext {
  let recordType: any FetchableRecord.Type
  let style: RecordDecoder.Style
  let codingPath: [any CodingKey]
  private(set) var reference: RowReference
  /// What the record embeds, or where its embedded value is. Nil for most records.
  let embedding: Embedding?
  let strategy: DatabaseColumnDecodingStrategy
  /// The columns by coding key, unless keys are the names of columns.
  private lazy var columnsByKey = Dictionary(
    columnKeys.enumerated().map { (BinaryText($0.element), $0.offset) },
    uniquingKeysWith: { leftmost, _ in leftmost })

  init(
    recordType: any FetchableRecord.Type, style: RecordDecoder.Style, reference: RowReference,
    codingPath: [any CodingKey]
  ) {
    self.recordType = recordType
    self.style = style
    self.reference = reference
    self.codingPath = codingPath
    strategy = style == .record ? recordType.databaseColumnDecodingStrategy : .useDefaultKeys
    embedding = style == .record ? Embedding.of(recordType) : nil
  }

  /// The context of an embedded value.
  init(_ outer: RowDecodingContext, _ value: Embedding) {
    recordType = outer.recordType
    style = outer.style
    codingPath = outer.codingPath + value.path.suffix(1)
    reference = outer.reference
    strategy = outer.strategy
    embedding = value
  }

  /// The context of containers that outlived theirs: all of it throws.
  static var ended: RowDecodingContext {
    RowDecodingContext(recordType: NoRecord.self, style: .record, reference: .ended, codingPath: [])
  }

  /// Ends the use of the row by containers that a record has kept.
  func end() { reference = .ended }

  /// Runs `body` with the row, unless the record has been decoded long ago.
  @inline(__always) func withRow<T>(_ body: (Row) throws -> T) throws -> T {
    guard let row = reference.row else { throw RowDecodingContext.escapedContainer }
    return try row.use(body)
  }

  func row() throws -> Row { try withRow { $0 } }

  static var escapedContainer: DecodingError {
    .dataCorrupted(
      .init(
        codingPath: [],
        debugDescription: "A decoding container was used after the end of the decoding"))
  }

  func column(forKey key: any CodingKey) -> Int? {
    if let embedding {
      if embedding.embeds(key) { return nil }
      if embedding.isValue { return column(at: embedding.path + [key]) }
    }
    if case .useDefaultKeys = strategy { return try? row().layout.index(ofColumn: key.stringValue) }
    return columnsByKey[BinaryText(key.stringValue)]
  }

  /// The coding keys of all columns.
  var columnKeys: [String] {
    guard let names = try? row().layout.columnNames else { return [] }
    if let embedding { return embedding.keys(names, strategy) }
    return names.map(strategy.codingKey(ofColumn:))
  }

  /// The error for a property that must be in a column.
  func missingColumn(_ key: any CodingKey) throws -> RowDecodingError {
    let row = try row()
    if let embedding {
      if embedding.embeds(key) { throw embedding.misuse(ofKey: key) }
      if embedding.isValue { return row.missingColumnError(columnName(embedding.path + [key])) }
    }
    switch strategy {
    case .useDefaultKeys: return row.missingColumnError(key.stringValue)
    case .convertFromSnakeCase:
      let column = key.stringValue.snakeCased
      let back = column.camelCased
      let divergent = back == key.stringValue ? nil : back
      return RowDecodingError(
        .keyNotFound(.init(key, divergent: divergent, converted: column)), row.decodingContext())
    case .custom: return RowDecodingError(.keyNotFound(.init(key)), row.decodingContext())
    }
  }

  /// Refuses a property that may be any of several records.
  ///
  /// - Throws: `RowDecodingError`, which names the way out.
  func refuseAmbiguity<Key: CodingKey>(of key: Key, at paths: [[String]], in row: Row) throws {
    let ambiguity = row.layout.ambiguity(ofProperty: key.stringValue, at: paths) { column in
      Key(stringValue: strategy.codingKey(ofColumn: column)) != nil
    }
    guard let ambiguity else { return }
    throw RowDecodingError(.ambiguousKey(ambiguity), row.decodingContext())
      .decoding(recordType)
  }
}

private struct NoRecord: FetchableRecord {
  init(row: Row) {}
}

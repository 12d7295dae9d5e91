/// The columns that a type of coding keys is written to.
///
/// Records of a type set the same columns in the same order. So the table has the positions that
/// the columns of the record before had: one comparison, and the value is added after those that
/// are set.
@safe final class KeyedRecordEncoding: KeyTable {
  /// Counted where nothing else owns the encoder: see `RecordEncoder.ended`.
  private let ownedEncoder: RecordEncoder?
  private let unownedEncoder: Unretained<RecordEncoder>
  /// The columns that the positions are those of.
  private var positionedColumns: ColumnSet?
  /// What the record embeds, or where its embedded value is. Nil for most records.
  let embedding: Embedding?

  /// - parameter isOwner: whether the encoder goes with the table. Otherwise it owns the table.
  init<Key: CodingKey>(
    _ encoder: RecordEncoder, _ type: Key.Type, _ embedding: Embedding? = nil, isOwner: Bool = false
  ) {
    self.embedding = embedding
    ownedEncoder = isOwner ? encoder : nil
    unownedEncoder = Unretained(encoder)
    super.init(type, .make(for: KeyedEncodingContainer<Key>.self))
    if !isOwner { box.fill(KeyedEncodingContainer(KeyedRecordContainer<Key>(self))) }
  }

  /// The container over this table.
  @inline(__always)
  func container<Key: CodingKey>(_ type: Key.Type) -> KeyedEncodingContainer<Key> {
    box.container(KeyedEncodingContainer<Key>.self)
  }

  var encoder: RecordEncoder { unownedEncoder.object }

  /// Sets the column of a key of one byte, if it comes in the position that it had in the record
  /// before.
  @inline(__always) func setInPlace(
    _ key: some CodingKey, _ setNextExpected: (ContainerStorage) -> Void
  ) -> Bool {
    guard let positions = unsafe positions else { return false }
    return unownedEncoder.use { encoder in
      encoder.storage.use { storage in
        guard unsafe Int(positions[Int(key.byte)]) == storage.count,
          storage.columnSet === positionedColumns
        else { return false }
        setNextExpected(storage)
        return true
      }
    }
  }

  /// Sets the column of a key.
  func set(_ value: DatabaseValue, _ number: Int, _ key: () -> any CodingKey) throws {
    let column = try column(number, key)
    let storage = encoder.storage.object
    let position = storage.count
    storage.set(value, forColumn: column)
    if storage.count == position, let embedding { throw embedding.conflict(column) }
    guard let columns = storage.columnSet, storage.count == position + 1 else { return }
    if positionedColumns !== columns {
      positionedColumns = columns
      forgetPositions()
    }
    rememberPosition(number, position)
  }

  /// The name of the column of a key.
  @inline(__always) func column(_ number: Int, _ key: () -> any CodingKey) throws -> String {
    if let name = columnName(number) { return name }
    let key = key()
    if let embedding, embedding.embeds(key) { throw embedding.misuse(ofKey: key) }
    let name = encoder.columnName((embedding?.path ?? []) + [key])
    setColumnName(number, name)
    return name
  }

  /// The encoder of a property other than a plain value.
  @inline(__always) func property<T: Encodable>(
    _ type: T.Type, _ number: Int, _ key: () -> any CodingKey
  ) throws -> PropertyEncoder<T> {
    if let property = coder(number, for: type) {
      return known(property, as: PropertyEncoder<T>.self)
    }
    let property = try makeProperty(type, number, key())
    setCoder(number, for: type, property)
    return property
  }
  private func makeProperty<T: Encodable>(
    _ type: T.Type, _ number: Int, _ key: any CodingKey
  ) throws -> PropertyEncoder<T> {
    if let embedding, embedding.embeds(key) {
      return try encoder.embeddedProperty(type, key, embedding)
    }
    return try encoder.recordType.propertyEncoder(
      type, embedding?.propertyKey(key) ?? key, column: column(number) { key })
  }
}

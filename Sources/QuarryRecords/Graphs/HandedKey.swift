import Quarry

/// The properties of a record that get the columns of a foreign key.
struct HandedKey<Record: MutablePersistableRecord>: Sendable {
  private let setters: [@Sendable (inout Record, DatabaseValue) -> Bool]

  init<each Key: DatabaseValueConvertible>(
    _ paths: repeat (any WritableKeyPath<Record, each Key> & Sendable)
  ) {
    var setters: [@Sendable (inout Record, DatabaseValue) -> Bool] = []
    for path in repeat each paths { setters.append(Self.setter(path)) }
    self.setters = setters
  }

  private static func setter<Key: DatabaseValueConvertible>(
    _ path: any WritableKeyPath<Record, Key> & Sendable
  ) -> @Sendable (inout Record, DatabaseValue) -> Bool {
    { record, value in
      guard let key = Key.fromDatabaseValue(value) else { return false }
      record[keyPath: path] = key
      return true
    }
  }

  /// Sets the properties of the columns that have other values: a record that has its key stays as
  /// it is, also where a key path is the one of another property.
  ///
  /// - Throws: ``GraphSaveError`` if the record does not store the values in these columns then.
  func hand(
    _ values: [DatabaseValue], over columns: [String], to record: inout Record, at path: String
  ) throws {
    guard setters.count == columns.count else {
      throw GraphSaveError(
        .key, at: path, Record.databaseTableName,
        "the graph has \(setters.count) key paths, and the foreign key \(columns.count) columns: "
          + columns.quotedDatabaseIdentifiers)
    }
    let stored = try encode(record, at: path)
    let changed = columns.indices.filter { stored.encoded(columns[$0]) != values[$0] }
    if changed.isEmpty { return }
    for index in changed where !setters[index](&record, values[index]) {
      throw GraphSaveError(
        .key, at: path, Record.databaseTableName,
        "the property of column \(columns[index].quotedDatabaseIdentifier) can't have the key of "
          + "the other record, which is a value of another type")
    }
    try encode(record, at: path).check(columns, are: values, of: Record.self, at: path)
  }

  private func encode(_ record: Record, at path: String) throws -> PersistenceContainer {
    try GraphSaveError.placing(path, Record.databaseTableName) { try PersistenceContainer(record) }
  }
}

extension DatabaseValue {
  /// The value as SQLite stores it: NULL for NaN.
  var stored: DatabaseValue {
    if case .double(let double) = storage, double.isNaN { .null } else { self }
  }
}

extension PersistenceContainer {
  /// The value of a column, nil if it is not encoded.
  func encoded(_ column: String) -> DatabaseValue? {
    (self[column] as (any DatabaseValueConvertible)?)?.databaseValue.stored
  }

  /// The values of columns. Nil if one is null.
  ///
  /// - Throws: ``GraphSaveError`` for a column that is not encoded.
  func key(
    _ columns: [String], of type: (some TableRecord).Type, at path: String
  ) throws -> [DatabaseValue]? {
    let values = try columns.map { column in
      guard let value = encoded(column) else {
        throw GraphSaveError(
          .key, at: path, type.databaseTableName,
          "\(type) does not encode column \(column.quotedDatabaseIdentifier), by which its row is "
            + "found: give it a property for the column")
      }
      return value
    }
    return values.contains(where: \.isNull) ? nil : values
  }

  /// - Throws: ``GraphSaveError`` if columns are stored with other values.
  func check(
    _ columns: [String], are values: [DatabaseValue], of type: (some TableRecord).Type,
    at path: String
  ) throws {
    for (column, value) in zip(columns, values) where encoded(column) != value {
      let stored = encoded(column).map { $0.isNull ? "NULL" : "another value" } ?? "nothing"
      throw GraphSaveError(
        .key, at: path, type.databaseTableName,
        "column \(column.quotedDatabaseIdentifier) of the foreign key must have the key of the "
          + "other record, and \(type) stores \(stored) there: the key paths of the graph are those "
          + "of the properties of \(columns.quotedDatabaseIdentifiers), in this order")
    }
  }
}

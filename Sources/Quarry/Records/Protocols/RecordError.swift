/// A record that is not in the database.
public enum RecordError: Error, Sendable {
  /// No row has the key of the record, or the key that was looked for.
  ///
  /// ```swift
  /// // Key not found in table player: [id:42]
  /// try Player.find(db, id: 42)
  /// ```
  case recordNotFound(databaseTableName: String, key: [String: DatabaseValue])
}

extension RecordError: CustomStringConvertible {
  /// The table and the key.
  public var description: String {
    switch self {
    case .recordNotFound(let databaseTableName, let key):
      let columns = key.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
      return ErrorLayout.text(
        "Key not found in table \(databaseTableName): [\(columns.joined(separator: " "))]",
        findings: !key.isEmpty && key.values.allSatisfy(\.isNull)
          ? "the key is NULL: `insert` or `save` sets the property of the key, if the record has one"
          : nil,
        place: nil)
    }
  }
}

extension TableRecord {
  /// The error for a primary key that no row has.
  ///
  /// ```swift
  /// guard let player = try Player.fetchOne(db, key: 42) else {
  ///   throw Player.recordNotFound(db, key: 42)
  /// }
  /// ```
  ///
  /// The result is a ``RecordError``, or the error of the schema when the table has no
  /// single-column primary key.
  public static func recordNotFound(
    _ db: Database, key: some DatabaseValueConvertible
  ) -> any Error {
    do {
      let columns = try db.schema.primaryKey(of: databaseTableName).columns
      guard columns.count == 1 else {
        return InvalidRequest.compoundPrimaryKey(databaseTableName, columns: columns)
      }
      return recordNotFound(key: [columns[0]: key])
    } catch {
      return error
    }
  }

  /// The error for a key that no row has.
  ///
  /// ```swift
  /// throw Citizenship.recordNotFound(key: ["citizenId": 1, "countryCode": "FR"])
  /// ```
  public static func recordNotFound(key: [String: (any DatabaseValueConvertible)?]) -> RecordError {
    .recordNotFound(
      databaseTableName: databaseTableName,
      key: Dictionary(
        uniqueKeysWithValues: key.map { ($0, $1?.storedKey(in: $0, of: Self.self) ?? .null) }))
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// The error for an identifier that no row has.
  ///
  /// See ``TableRecord/recordNotFound(_:key:)``.
  public static func recordNotFound(_ db: Database, id: ID) -> any Error {
    recordNotFound(db, key: id)
  }
}

extension TableRecord where Self: EncodableRecord {
  /// The error for a record that is not in the database.
  ///
  /// The result is a ``RecordError`` with the primary key of the record, or the error of the schema
  /// or of the encoding when the key is not known.
  public func recordNotFound(_ db: Database) -> any Error {
    do {
      let table = type(of: self).databaseTableName
      let columns = try db.schema.primaryKey(of: table).columns
      return try RecordError.recordNotFound(
        databaseTableName: table, key: PersistenceContainer(self).values(of: columns))
    } catch {
      return error
    }
  }
}

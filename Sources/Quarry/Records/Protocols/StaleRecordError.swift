/// A record that was not written, since its row has changed or gone after the record was fetched.
///
/// ```swift
/// // player [id:1] was not written: the record has version 3, its row has version 4
/// try player.update(db)
/// ```
///
/// To resolve the conflict, fetch the record again, apply the change to it, and write it.
public struct StaleRecordError: Error, Sendable {
  /// The table.
  public let databaseTableName: String

  /// The primary key of the record.
  public let key: [String: DatabaseValue]

  /// The version of the record.
  public let version: DatabaseValue

  /// The version of its row, nil if there is none.
  public let currentVersion: DatabaseValue?
}

extension StaleRecordError: CustomStringConvertible {
  /// The table, the key, and both versions.
  public var description: String {
    let columns = key.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    let row = currentVersion.map { "its row has version \($0)" } ?? "its row is gone"
    return """
      \(databaseTableName) [\(columns.joined(separator: " "))] was not written: the record has \
      version \(version), \(row). To resolve the conflict, fetch the record again, apply the \
      change to it, and write it.
      """
  }
}

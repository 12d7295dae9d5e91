public import Quarry

// A type has one conformance to a record protocol. One that is older than that to
// `SoftDeletableRecord` or `VersionedRecord` (of a superclass, or of another module) knows of no
// column of deletions or versions. Updates and deletions ask for it.

extension _CheckedRecord {
  /// Not for applications.
  ///
  /// - Throws: `DatabaseError` for a type whose record protocols don't know its column.
  public static func _checkConformance() throws {
    try (Self.self as? any SoftDeletableRecord.Type)?.checkMarking()
    try (Self.self as? any VersionedRecord.Type)?.checkVersioning()
  }

  fileprivate static func check(_ column: String?, of name: String) throws {
    guard column == nil else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        \(Self.self) can't be a \(name): its superclass is a record already, or another module has \
        made it a record. To fix this error, declare all conformances to record protocols on the \
        type itself, in its module
        """)
  }
}

extension SoftDeletableRecord {
  fileprivate static func checkMarking() throws {
    func column<Record: TableRecord>(_ type: Record.Type) -> String? { type._deletionColumn }
    try check(column(Self.self), of: "SoftDeletableRecord")
  }

  /// All records that are not deleted.
  public static func all() -> QueryInterfaceRequest<Self> {
    func records<Record: TableRecord>(_: Record.Type) -> QueryInterfaceRequest<Record> {
      Record.all()
    }
    do {
      try checkMarking()
      return records(Self.self)
    } catch {
      return records(Self.self).filterWhenConnected { _ in throw error }
    }
  }
}

extension VersionedRecord {
  fileprivate static func checkVersioning() throws {
    func column<Record: MutablePersistableRecord>(_ type: Record.Type) -> String? {
      type._versionColumn
    }
    try check(column(Self.self), of: "VersionedRecord")
  }
}

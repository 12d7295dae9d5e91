/// How the row of a record is inserted.
@usableFromInline
package struct InsertRule {
  /// The conflict resolution, nil for the one of the record type.
  var conflict: Database.ConflictResolution?
  /// Whether columns whose value is NULL get the default value of the table.
  var omitsNulls: Bool
  /// The unique key whose conflicts insert nothing: no column for any key.
  var ignoredKey: [String]?

  @usableFromInline package init(
    conflict: Database.ConflictResolution?, omitsNulls: Bool = false, ignoredKey: [String]? = nil
  ) {
    self.conflict = conflict
    self.omitsNulls = omitsNulls
    self.ignoredKey = ignoredKey
  }

  /// Whether the rule is a conflict resolution only.
  var insertsPlainly: Bool { !omitsNulls && ignoredKey == nil }

  /// The columns to write.
  func written(_ container: PersistenceContainer) -> PersistenceContainer {
    guard omitsNulls else { return container }
    var written = PersistenceContainer()
    for (column, value) in container where !value.isNull { written.set(value, forColumn: column) }
    return written
  }
}

extension Database.ConflictResolution {
  /// The text after `OR`. `ABORT` is the default of SQLite.
  var keyword: String? { self == .abort ? nil : rawValue }
}

/// Leaves the callbacks around an insertion that inserted nothing.
package struct NothingInserted: Error {}

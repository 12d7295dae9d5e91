/// A kind of changes that a statement may do, known before it is executed.
///
/// The names are those of the declarations of tables and columns, without schema.
public enum DatabaseEventKind: Sendable {
  /// Rows may be inserted into a table.
  case insert(tableName: String)

  /// Rows of a table may be deleted.
  case delete(tableName: String)

  /// Columns of a table may be updated. The rowid is named `ROWID`, unless it is set by the name of its column.
  case update(tableName: String, columnNames: Set<String>)

  /// The name of the table.
  public var tableName: String {
    switch self {
    case .insert(let tableName), .delete(let tableName), .update(let tableName, _): tableName
    }
  }
}

extension DatabaseEventKind {
  /// Returns whether an event is of the kind. Events of updates don't say which columns changed.
  func includes(_ event: DatabaseEvent) -> Bool {
    verb == event.kind && tableName.isSameIdentifier(as: event.tableName)
  }

  private var verb: DatabaseEvent.Kind {
    switch self {
    case .insert: .insert
    case .delete: .delete
    case .update: .update
    }
  }
}

/// Anything that a request can select: columns, expressions, all columns.
///
/// ```swift
/// // SELECT "name", "score" FROM "player"
/// Player.select(Column("name"), Column("score"))
/// ```
public protocol SQLSelectable {
  /// The selection.
  var sqlSelection: SQLSelection { get }
}

extension SQLSelectable where Self: RawRepresentable, RawValue: SQLSelectable {
  /// The selection of the raw value.
  public var sqlSelection: SQLSelection { rawValue.sqlSelection }
}

extension SQLSelectable where Self == Column {
  /// The hidden column that identifies the rows of most tables: `"rowid"`.
  ///
  /// ```swift
  /// // SELECT *, "rowid" FROM "player"
  /// Player.select(.allColumns, .rowID)
  /// ```
  public static var rowID: Column { Column.rowID }
}

extension SQLSelection: SQLSelectable {
  /// The selection itself.
  public var sqlSelection: SQLSelection { self }
}

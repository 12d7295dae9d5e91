/// A type that a request can select: a column, an expression, all columns.
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

/// A type with a selection of its own: all that requests know of record types. Not for
/// applications, which conform to
/// ``TableRecord``.
public protocol _RecordSelection: SendableMetatype {
  /// The type of the argument of closures in requests.
  associatedtype DatabaseComponents

  /// The default selection of requests.
  static var databaseSelection: [any SQLSelectable] { get }

  /// The argument of closures in requests.
  static var databaseComponents: DatabaseComponents { get }
}

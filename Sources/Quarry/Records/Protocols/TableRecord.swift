/// A type that is associated with a table or a view of the database.
///
/// A table record builds SQL requests:
///
/// ```swift
/// struct Player: TableRecord {
///   enum Columns {
///     static let score = Column("score")
///   }
/// }
///
/// // SELECT COUNT(*) FROM "player" WHERE "score" > ?
/// let count = try Player.filter { $0.score > 1000 }.fetchCount(db)
/// ```
///
/// The table may be a view.
public protocol TableRecord: _RecordSelection {
  /// The type that declares the columns of the table, if any.
  associatedtype Columns = Never

  /// The type of the argument of closures in requests, for the columns of the table:
  /// ``databaseComponents``.
  associatedtype DatabaseComponents = Self.Columns.Type

  /// The name of the table or view.
  ///
  /// By default, the name of the type with its leading capitals in lower case: `player` for
  /// `Player`, `httpRequest` for `HTTPRequest`.
  static var databaseTableName: String { get }

  /// The default selection of requests: all columns, unless the type declares others.
  ///
  /// ```swift
  /// extension Player: TableRecord {
  ///   static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }
  /// }
  ///
  /// // SELECT *, "rowid" FROM "player"
  /// try Player.fetchAll(db)
  /// ```
  static var databaseSelection: [any SQLSelectable] { get }

  /// The argument of closures in requests: by default, the ``Columns`` type.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score"
  /// Player.order { $0.score }
  /// ```
  static var databaseComponents: DatabaseComponents { get }

  /// The column that is not null in deleted rows, for types whose deletions mark rows: nil for
  /// others. Not for applications.
  static var _deletionColumn: String? { get }
}

extension TableRecord {
  /// The name of the type with its leading capitals in lower case: `player` for `Player`.
  public static var databaseTableName: String { defaultTableName }

  /// All columns.
  public static var databaseSelection: [any SQLSelectable] { unsafe AllColumns.selection }

  /// Deletions remove rows. Not for applications.
  public static var _deletionColumn: String? { nil }
}

extension TableRecord where DatabaseComponents == Columns.Type {
  /// The `Columns` type.
  public static var databaseComponents: Columns.Type { Columns.self }
}

/// A column of a table, a view, or a common table expression.
///
/// Enumerations whose raw values are the names of columns are columns when they say so:
///
/// ```swift
/// enum Columns: String, ColumnExpression {
///   case id, name, score
/// }
///
/// // SELECT * FROM "player" WHERE "score" > ?
/// Player.filter(Columns.score > 1000)
/// ```
///
/// A column in a clause of a request belongs to the table of this request.
public protocol ColumnExpression: SQLSpecificExpressible {
  /// The name of the column.
  var name: String { get }
}

extension ColumnExpression {
  /// The column as an expression.
  public var sqlExpression: SQLExpression { SQLExpression(.column(name)) }

  /// The quoted name of the column, which belongs to no table and is never qualified.
  ///
  /// It refers to what a request selects under this name:
  ///
  /// ```swift
  /// // SELECT *, "score" + ? AS "next" FROM "player" WHERE ("next") > ?
  /// Player
  ///   .annotated(with: (Column("score") + 1).forKey("next"))
  ///   .filter(Column("next").detached > 10)
  /// ```
  public var detached: SQLExpression { SQLExpression(.literal(SQL(elements: [.identifier(name)]))) }
}

extension ColumnExpression where Self: RawRepresentable, RawValue == String {
  /// The raw value.
  public var name: String { rawValue }
}

extension ColumnExpression where Self == Column {
  /// The hidden column that identifies the rows of most tables: `"rowid"`.
  ///
  /// See <https://www.sqlite.org/rowidtable.html>.
  public static var rowID: Column { Column.rowID }
}

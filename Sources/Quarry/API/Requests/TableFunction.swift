/// A function whose result is a table: one of SQLite, such as `json_each`, or a virtual table that
/// takes arguments.
///
/// ```swift
/// // SELECT "value" FROM "json_each"(?)
/// let titles = try TableFunction("json_each", #"["Emma", "Persuasion"]"#)
///   .select(Column("value"), as: String.self)
///   .fetchAll(db)
/// ```
///
/// Arguments are values and expressions. In an association, their columns are those of the table
/// that the function is joined to:
///
/// ```swift
/// // SELECT "book".* FROM "book" JOIN "json_each"("book"."tags") ON "json_each"."value" = ?
/// let tags = Book.association(to: TableFunction("json_each", Column("tags")))
/// let books = try Book.joining(required: tags.filter(Column("value") == "sea")).fetchAll(db)
/// ```
///
/// In a subquery, a ``TableAlias`` refers to the table of the enclosing query:
///
/// ```swift
/// // SELECT * FROM "book" WHERE ? IN (SELECT "value" FROM "json_each"("book"."tags"))
/// let book = TableAlias<Book>()
/// let tags = TableFunction("json_each", book["tags"]).select(Column("value"))
/// let books = try Book.aliased(book).filter(tags.contains("sea")).fetchAll(db)
/// ```
///
/// The rows of a table function have no primary key: requests that need one throw
/// ``InvalidRequest``. SQLite refuses unknown functions and arguments beyond their number; missing
/// arguments are null, and many functions have no rows then. The hidden columns of the table are
/// its parameters: they are selected by name only.
///
/// See <https://www.sqlite.org/vtab.html#table_valued_functions>.
public struct TableFunction<RowDecoder>: _TableSource {
  /// The name of the function.
  public var name: String

  let arguments: [SQLExpression]

  /// Creates a call from the name of the function, which may begin with that of a schema, and its
  /// arguments.
  ///
  /// ```swift
  /// struct JSONElement: Decodable, FetchableRecord {
  ///   var key: String
  ///   var value: Int
  /// }
  /// // SELECT * FROM "json_each"(?, ?)
  /// let json = #"{"prices": [10, 12]}"#
  /// TableFunction<JSONElement>("json_each", json, "$.prices")
  /// ```
  public init(_ name: String, _ arguments: (any SQLExpressible)?...) {
    self.init(name, arguments: arguments)
  }

  /// Creates a call from the name of the function, and its arguments.
  public init(_ name: String, arguments: [(any SQLExpressible)?]) {
    self.name = name
    self.arguments = arguments.map { $0?.sqlExpression ?? .null }
  }

  /// All rows.
  ///
  /// ```swift
  /// // SELECT * FROM "json_tree"(?)
  /// let rows = try TableFunction("json_tree", "[1, [2, 3]]").all().fetchAll(db)
  /// ```
  public func all() -> QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(
      relation: Relation(
        source: .function(name, arguments), selection: [.items([SQLSelection(.allColumns)])]))
  }
}

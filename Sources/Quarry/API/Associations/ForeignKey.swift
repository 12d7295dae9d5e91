/// The columns that link two tables, for associations that the schema leaves in doubt.
///
/// Associations find foreign keys in the schema. Pass them the columns when a table has several
/// foreign keys to the other one, or none:
///
/// ```swift
/// struct Book: TableRecord {
///   static let author = belongsTo(Person.self, using: ForeignKey(["authorId"]))
///   static let translator = belongsTo(Person.self, using: ForeignKey(["translatorId"]))
/// }
/// ```
///
/// The columns are those of the table that refers to the other one, in both directions:
///
/// ```swift
/// struct Person: TableRecord {
///   static let books = hasMany(Book.self, using: ForeignKey(["authorId"]))
/// }
/// ```
///
/// See <https://www.sqlite.org/foreignkeys.html>.
public struct ForeignKey: Equatable, Sendable {
  let originColumns: [String]
  let destinationColumns: [String]?

  /// Creates a foreign key from its columns.
  ///
  /// - parameter originColumns: The columns of the table that refers to the other one.
  /// - parameter destinationColumns: The columns of the other table, in the same order. By default,
  ///   those of the schema, or the primary key.
  public init(_ originColumns: [String], to destinationColumns: [String]? = nil) {
    self.originColumns = originColumns
    self.destinationColumns = destinationColumns
  }

  /// Returns whether both foreign keys name the same columns.
  public static func == (lhs: ForeignKey, rhs: ForeignKey) -> Bool {
    lhs.originColumns.hasSameTexts(as: rhs.originColumns)
      && lhs.destinationColumns.hasSameTexts(as: rhs.destinationColumns)
  }

  /// Creates a foreign key from its columns. See ``init(_:to:)-([String],_)``.
  public init(
    _ originColumns: [any ColumnExpression], to destinationColumns: [any ColumnExpression]? = nil
  ) { self.init(originColumns.map(\.name), to: destinationColumns?.map(\.name)) }
}

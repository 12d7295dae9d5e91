/// A column that contains JSON.
///
/// ```swift
/// struct Player: Codable, FetchableRecord, PersistableRecord {
///   var id: Int64
///   var info: Info  // an object in JSON
///
///   enum Columns {
///     static let id = Column(CodingKeys.id)
///     static let info = JSONColumn(CodingKeys.info)
///   }
/// }
///
/// // SELECT * FROM "player" WHERE ("info" ->> ?) > ?
/// Player.filter { $0.info["score"] > 1000 }
/// ```
///
/// Enumerations of columns conform to ``SQLJSONExpressible`` instead:
///
/// ```swift
/// enum JSONColumns: String, ColumnExpression, SQLJSONExpressible {
///   case info
/// }
/// ```
public struct JSONColumn: ColumnExpression, SQLJSONExpressible, Sendable {
  /// The name of the column.
  public var name: String

  /// Creates a column from its name.
  public init(_ name: String) { self.name = name }

  /// Creates a column with the name of a coding key.
  public init(_ codingKey: some CodingKey) { name = codingKey.stringValue }
}

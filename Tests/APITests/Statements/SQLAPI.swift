import Foundation
import Quarry

func sql(_ db: Database) throws {
  var query: SQL = "SELECT * FROM player"
  query.append(literal: " WHERE id = \(1)")
  query.append(sql: " AND name = ?", arguments: ["Ann"])
  query.append(sql: " LIMIT 1")
  query += " -- \(1)"
  let _: SQL = query + " LIMIT 1"
  _ = SQL(sql: "SELECT 1")
  _ = SQL(sql: "SELECT ?", arguments: [1])
  _ = SQL(Column("id"))
  _ = SQL(Column("id") == 1)
  let _: Bool = query.isEmpty
  let (text, arguments) = try query.build(db)
  let _: (String, StatementArguments) = (text, arguments)
  let built = try query.build(db)
  let _: (String, StatementArguments) = (built.sql, built.arguments)
  let _: SQLExpression = query.sqlExpression
  let _: SQLSelection = query.sqlSelection
  let _: SQLOrdering = query.sqlOrdering
  _ = SQL(unicodeScalarLiteral: "a")
  _ = SQL(extendedGraphemeClusterLiteral: "a")
  _ = SQL(stringLiteral: "SELECT 1")
  _ = SQL(stringInterpolation: SQLInterpolation(literalCapacity: 1, interpolationCount: 0))
  let _: SQL = [query, query].joined()
  let _: SQL = [query, query].joined(separator: ", ")
}

func sqlInterpolation(
  _ record: Award, _ anyRecord: any TableRecord, _ anyType: any TableRecord.Type,
  _ selectable: (any SQLSelectable)?, _ ordering: any SQLOrderingTerm,
  _ expressible: (any SQLExpressible)?, _ key: any CodingKey,
  _ cte: CommonTableExpression<Player>
) {
  var interpolation = SQLInterpolation(literalCapacity: 10, interpolationCount: 2)
  interpolation.appendLiteral("SELECT ")
  let fragment: SQL = "id"
  let name = "Ann"
  let _: SQL = "\(sql: "SELECT 1") \(sql: "?", arguments: [1])"
  let _: SQL = "\(fragment) \(literal: fragment) \(literal: "id = \(1)")"
  let _: SQL = "\(name) \(name.prefix(2))"
  let _: SQL = "\(Player.self) \(anyType) \(Table("player")) \(Table<Player>("player"))"
  let _: SQL = "\(tableOf: record) \(tableOf: anyRecord) \(identifier: "my table")"
  let _: SQL = "\(columnsOf: Player.self) \(columnsOf: Player.self, tableAlias: "p")"
  let _: SQL = "\(AllColumns()) \(selectable) \(Column("id").forKey("key"))"
  let _: SQL = "\(Column("id").desc) \(ordering)"
  let _: SQL = "\(Column("id")) \(Column("id") == 1) \(Columns.name) \(expressible)"
  let _: SQL = "\(Color.red) \(1) \(1.5) \(Date()) \(Data()) \(true) \(nil as Int?)"
  let _: SQL = "\(Key.id) \(key) \(ExpressionKey.id)"
  let _: SQL = "\(Player.all()) \(SQLRequest<Row>(sql: "SELECT 1"))"
  let _: SQL = "\([1, 2]) \(["a", "b"]) \([1, "a"] as [any SQLExpressible]) \(Set([1]))"
  let _: SQL = "\(ExpressibleList(values: [1]))"
  let _: SQL = "WITH \(definitionFor: cte) SELECT * FROM \(cte)"
  let _: SQL = "\(DatabaseCollation.french) \(Database.CollationName.nocase)"
}

private enum Key: String, CodingKey {
  case id
}

private enum ExpressionKey: String, CodingKey, ColumnExpression {
  case id

  var name: String { rawValue }
}

/// A sequence that is an expression itself.
private struct ExpressibleList: SQLExpressible, Sequence {
  let values: [Int]

  var sqlExpression: SQLExpression { values.count.sqlExpression }

  func makeIterator() -> some IteratorProtocol<Int> { values.makeIterator() }
}

import Foundation
import Quarry

func statement(_ statement: Statement) throws {
  let _: SQLiteStatement = statement.sqliteStatement
  let _: String = statement.sql
  let _: [String] = statement.columnNames
  let _: Bool = statement.isReadonly
  let _: StatementArguments = statement.arguments
  statement.arguments = [1]
  statement.arguments = ["id": 1]
  try statement.validateArguments([1])
  statement.setUncheckedArguments([1])
  try statement.setArguments([1])
  try statement.execute()
  try statement.execute(arguments: [1])
  try statement.execute(arguments: nil)
  try statement.execute(arguments: StatementArguments([1]))
  let _: String = statement.description
  let _: Int = statement.columnCount
  let _: Int? = statement.index(ofColumn: "id")
}

func databaseCursor<C: DatabaseCursor>(_ cursor: C) throws {
  let _: String = cursor.sql
  let _: StatementArguments = cursor.arguments
  let _: [String] = cursor.columnNames
  let _: Int = cursor.columnCount
  let _: C.Element? = try cursor.next()
  try cursor.forEach { (_: C.Element) in }
}

func existentialCursor(_ cursor: some DatabaseCursor<Player>) throws -> [Player] {
  try Array(cursor)
}

/// A cursor of an application, as libraries on top of this one make them.
class QueryCursor<Element>: DatabaseCursor {
  var _isDone = false
  let _statement: Quarry.Statement

  init(_ statement: Quarry.Statement) { _statement = statement }

  func _element(sqliteStatement _: SQLiteStatement) throws -> Element {
    fatalError("subclasses decode the element")
  }
}

final class IntCursor: QueryCursor<Int> {
  override func _element(sqliteStatement: SQLiteStatement) throws -> Int {
    Int(sqliteStatement: sqliteStatement, index: 0) ?? 0
  }
}

func applicationCursor(_ db: Database) throws {
  let cursor = IntCursor(try db.makeStatement(sql: "SELECT 1"))
  let _: Int? = try cursor.next()
  try cursor.forEach { (_: Int) in }
  let _: [Int] = try Array(cursor)
  let base: QueryCursor<Int> = cursor
  let _: Int? = try base.next()
  try databaseCursor(base)
}

func statementArguments() {
  var arguments = StatementArguments()
  let _: Bool = arguments.isEmpty
  let values: [(any DatabaseValueConvertible)?] = [1, "a", nil]
  let named: [String: (any DatabaseValueConvertible)?] = ["id": 1, "name": nil]
  let pairs: [(String, (any DatabaseValueConvertible)?)] = [("id", 1), ("name", nil)]
  let _: StatementArguments = StatementArguments(values)
  let _: StatementArguments = StatementArguments([1, 2, 3])
  let _: StatementArguments = StatementArguments(["a", "b"])
  let _: StatementArguments = StatementArguments([Int?](repeating: nil, count: 2))
  let _: StatementArguments? = StatementArguments([1, "a", NSNull()] as [Any])
  let _: StatementArguments = StatementArguments(named)
  let _: StatementArguments = StatementArguments(["id": 1])
  let _: StatementArguments = StatementArguments(pairs)
  let _: StatementArguments? = StatementArguments(["id": 1, "name": "a"] as [AnyHashable: Any])
  let _: [String: DatabaseValue] = arguments.append(contentsOf: ["id": 1])
  let _: StatementArguments = arguments + [1]
  let _: StatementArguments = arguments &+ ["id": 2]
  arguments += [1]
  let _: StatementArguments = [1, "a", nil, 1.5, Date(), Data(), values[0]]
  let _: StatementArguments = ["id": 1, "name": nil]
  let _: StatementArguments = []
  let _: StatementArguments = [:]
  let _: String = arguments.description
  let _: Set<StatementArguments> = [arguments]
}

struct Point: StatementBinding {
  func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    1.bind(to: sqliteStatement, at: index)
  }
}

enum Rank: Int, StatementBinding {
  case first = 1
}

func statementBinding(_ statement: Statement) {
  let _: CInt = Point().bind(to: statement.sqliteStatement, at: 1)
  let _: CInt = Rank.first.bind(to: statement.sqliteStatement, at: 1)
}

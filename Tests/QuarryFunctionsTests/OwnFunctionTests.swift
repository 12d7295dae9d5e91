import Quarry
import QuarryFunctions
import QuarryTestSupport
import Testing

// Functions of an application that the library has, too: with the same parameters and result, with
// others, and with fewer.

private func lower(_ value: some SQLSpecificExpressible) -> SQLExpression {
  SQL("OWN_LOWER(\(value))").sqlExpression
}

private func upper(_ value: any SQLExpressible) -> SQLExpression {
  SQL("OWN_UPPER(\(value))").sqlExpression
}

private func hex<Value: SQLExpressible>(_ value: Value) -> SQLExpression {
  SQL("OWN_HEX(\(value))").sqlExpression
}

private func rank() -> SQLExpression { SQL("OWN_RANK()").sqlExpression }

/// What `Tests/CompileErrors/Functions.swift` compiles is called.
struct OwnFunctionTests {
  @Test func `a function of the application is called instead of the library's`() throws {
    let title = Column("title")
    let columns = [lower(title), upper(title), hex(title), rank(), trim(title)]
    let request = Table("book").select(columns).filter(lower(title) == "emma")
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE book (title)")
      for name in ["OWN_LOWER", "OWN_UPPER", "OWN_HEX"] {
        db.add(function: DatabaseFunction(name, argumentCount: 1) { $0[0] })
      }
      db.add(function: DatabaseFunction("OWN_RANK", argumentCount: 0) { _ in 1 })
      #expect(
        try request.makePreparedRequest(db).statement.sql == """
          SELECT OWN_LOWER("title"), OWN_UPPER("title"), OWN_HEX("title"), OWN_RANK(), \
          TRIM("title") FROM "book" WHERE (OWN_LOWER("title")) = ?
          """)
    }
  }

  @Test(arguments: ["not", "order", "NULL", "current_date", "replace", "first shelf", "2nd"])
  func `a function of the application may have the name of a keyword`(name: String) throws {
    let function = DatabaseFunction(name, argumentCount: 1) { $0[0] }
    let title = Column("title")
    let request = Table("book").select([function(title), SQLExpression.function(name, title)])
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE book (title); INSERT INTO book VALUES ('Emma')")
      db.add(function: function)
      #expect(
        try request.makePreparedRequest(db).statement.sql
          == #"SELECT "\#(name)"("title"), "\#(name)"("title") FROM "book""#)
      let values = try Row.fetchOne(db, request).map { Array($0.databaseValues) }
      #expect(values == ["Emma".databaseValue, "Emma".databaseValue])
    }
  }

  @Test func `the name of the module leads to the library's`() throws {
    let request = Table("book").select(QuarryFunctions.lower(Column("title")))
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE book (title)")
      #expect(
        try request.makePreparedRequest(db).statement.sql == #"SELECT LOWER("title") FROM "book""#)
    }
  }
}

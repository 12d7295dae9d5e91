import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Predefined functions and collations")
struct PredefinedFunctionTests {
  private func one(_ sql: String, _ arguments: StatementArguments = []) throws -> DatabaseValue? {
    try DatabaseQueue().read { db in try DatabaseValue.fetchOne(db, sql: sql, arguments: arguments)
    }
  }

  @Test(arguments: [
    ("swiftCapitalizedString", "ÉCOLE des œuvres", "École Des Œuvres"),
    ("swiftLowercaseString", "ÀÉÇ", "àéç"), ("swiftUppercaseString", "straße", "STRASSE"),
    ("swiftLocalizedCapitalizedString", "élan vital", "Élan Vital"),
    ("swiftLocalizedLowercaseString", "ÀÉ", "àé"), ("swiftLocalizedUppercaseString", "àé", "ÀÉ"),
    ("swiftUppercaseString", "", ""), ("swiftUppercaseString", "a\0b", "A\0B"),
  ])
  func `string functions know all letters`(function: String, argument: String, expected: String)
    throws
  {
    #expect(try one("SELECT \(function)(?)", [argument]) == expected.databaseValue)
  }

  private static let functions = [
    "swiftCapitalizedString", "swiftLowercaseString", "swiftUppercaseString",
    "swiftLocalizedCapitalizedString", "swiftLocalizedLowercaseString",
    "swiftLocalizedUppercaseString",
  ]

  @Test(arguments: functions)
  func `string functions return NULL for what is no text`(function: String) throws {
    for argument in ["NULL", "1", "1.5", "x'FF'"] {
      #expect(try one("SELECT \(function)(\(argument))") == .null)
    }
  }

  @Test(arguments: functions)
  func `string functions are pure`(function: String) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (a); CREATE INDEX i ON t(\(function)(a))")
    }
  }

  @Test func `string functions repair invalid UTF-8`() throws {
    #expect(
      try one("SELECT swiftUppercaseString(CAST(x'61FF62' AS TEXT))")
        == "A\u{FFFD}B".databaseValue)
  }

  @Test func `functions are called in the query interface`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE player (name TEXT); INSERT INTO player VALUES ('éric')")
    }
    let name = Column("name")
    let calls: [(SQLExpression, String, String)] = [
      (DatabaseFunction.capitalize(name), "swiftCapitalizedString", "Éric"),
      (DatabaseFunction.lowercase(name), "swiftLowercaseString", "éric"),
      (DatabaseFunction.uppercase(name), "swiftUppercaseString", "ÉRIC"),
      (DatabaseFunction.localizedCapitalize(name), "swiftLocalizedCapitalizedString", "Éric"),
      (DatabaseFunction.localizedLowercase(name), "swiftLocalizedLowercaseString", "éric"),
      (DatabaseFunction.localizedUppercase(name), "swiftLocalizedUppercaseString", "ÉRIC"),
      (name.capitalized, "swiftCapitalizedString", "Éric"),
      (name.lowercased, "swiftLowercaseString", "éric"),
      (name.uppercased, "swiftUppercaseString", "ÉRIC"),
      (name.localizedCapitalized, "swiftLocalizedCapitalizedString", "Éric"),
      (name.localizedLowercased, "swiftLocalizedLowercaseString", "éric"),
      (name.localizedUppercased, "swiftLocalizedUppercaseString", "ÉRIC"),
    ]
    try queue.read { db in
      for (expression, function, value) in calls {
        let request = Table("player").select(expression, as: String.self)
        let statement = try request.makePreparedRequest(db).statement
        #expect(statement.sql == "SELECT \(function)(\"name\") FROM \"player\"")
        #expect(try request.fetchOne(db) == value)
      }
    }
  }

  @Test(arguments: [
    ("swiftCompare", ["E", "Z", "e", "z", "é"]),
    ("swiftLocalizedCompare", ["e", "E", "é", "z", "Z"]),
  ])
  func `collations are there on all connections`(collation: String, expected: [String]) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE t AS SELECT column1 AS a FROM (VALUES ('Z'), ('é'), ('z'), ('E'), ('e'))"
      )
    }
    let values = try queue.read { db in
      try String.fetchAll(db, sql: "SELECT a FROM t ORDER BY a COLLATE \(collation)")
    }
    #expect(values == expected)
  }

  @Test(arguments: [
    ("swiftCompare", "e\u{301}", "é", 0), ("swiftCompare", "a", "B", 1),
    ("swiftCompare", "a\0b", "a\0c", -1),
    ("swiftCaseInsensitiveCompare", "ÉCOLE", "école", 0),
    ("swiftCaseInsensitiveCompare", "a", "B", -1),
    ("swiftCaseInsensitiveCompare", "a\0B", "A\0c", -1),
    ("swiftLocalizedCaseInsensitiveCompare", "ÉCOLE", "école", 0),
    ("swiftLocalizedCaseInsensitiveCompare", "é", "f", -1),
    ("swiftLocalizedCompare", "é", "f", -1), ("swiftLocalizedCompare", "e", "E", -1),
    ("swiftLocalizedStandardCompare", "file 2", "File 10", -1),
    ("swiftLocalizedStandardCompare", "é", "f", -1),
    ("swiftLocalizedStandardCompare", "", "a", -1),
  ])
  func `collations compare texts`(collation: String, left: String, right: String, expected: Int)
    throws
  {
    let sql = """
      SELECT (:l > :r COLLATE \(collation)) - (:l < :r COLLATE \(collation)),
             (:r > :l COLLATE \(collation)) - (:r < :l COLLATE \(collation))
      """
    let row = try DatabaseQueue().read { db in
      try Row.fetchOne(db, sql: sql, arguments: ["l": left, "r": right])
    }
    #expect(row?[0] == expected)
    #expect(row?[1] == -expected)
  }

  @Test(arguments: [
    "swiftCompare", "swiftCaseInsensitiveCompare", "swiftLocalizedCaseInsensitiveCompare",
    "swiftLocalizedCompare", "swiftLocalizedStandardCompare",
  ])
  func `collations compare invalid UTF-8, always in the same way`(collation: String) throws {
    let bytes = ["61", "FF", "61FF", "FF61", "C3", "6100FF", "E280", "F09F"]
    let values = bytes.map { "(CAST(x'\($0)' AS TEXT))" }.joined(separator: ", ")
    try DatabaseQueue().write { db throws in
      try db.execute(sql: "CREATE TABLE t (a COLLATE \(collation)); INSERT INTO t VALUES \(values)")
      try db.execute(sql: "CREATE INDEX i ON t(a)")
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == bytes.count)
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
    }
  }

  @Test(arguments: [
    (DatabaseCollation.unicodeCompare, "swiftCompare"),
    (.caseInsensitiveCompare, "swiftCaseInsensitiveCompare"),
    (.localizedCaseInsensitiveCompare, "swiftLocalizedCaseInsensitiveCompare"),
    (.localizedCompare, "swiftLocalizedCompare"),
    (.localizedStandardCompare, "swiftLocalizedStandardCompare"),
  ])
  func `collations are named in the query interface`(collation: DatabaseCollation, name: String)
    throws
  {
    #expect(collation.name == name)
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(table: "player") { t in t.column("name", .text).collate(collation) }
      try db.execute(sql: "INSERT INTO player VALUES ('b'), ('A')")
    }
    let request = Table("player").order(Column("name").collating(collation))
    try queue.read { db in
      let statement = try request.makePreparedRequest(db).statement
      #expect(statement.sql == "SELECT * FROM \"player\" ORDER BY \"name\" COLLATE \(name)")
      #expect(try request.fetchAll(db).map { $0["name"] as String } == ["A", "b"])
    }
  }
}

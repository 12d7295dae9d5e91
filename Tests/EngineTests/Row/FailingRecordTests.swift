import Foundation
import Quarry
import QuarryTestSupport
import Testing

private enum Color: String, CaseIterable, DatabaseValueConvertible {
  case red, green
}

/// Reads one column by name, without `try`.
private struct Named<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value
  init(row: Row) { value = row["v"] }
}

private struct FastNamed<Value: DatabaseValueConvertible & StatementColumnConvertible>:
  FetchableRecord
{
  var value: Value
  init(row: Row) { value = row["v"] }
}

/// Reads a column by its index.
private struct Indexed<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value
  init(row: Row) { value = row[1] }
}

private struct FastIndexed<Value: DatabaseValueConvertible & StatementColumnConvertible>:
  FetchableRecord
{
  var value: Value
  init(row: Row) { value = row[1] }
}

/// Reads a column, as an expression.
private struct ByColumn: FetchableRecord {
  var value: Int
  init(row: Row) { value = row[Column("v")] }
}

/// Reads what is stored.
private struct Untyped: FetchableRecord {
  var value: (any DatabaseValueConvertible)?
  init(row: Row) { value = row[1] }
}

@Suite("Records that can't be decoded")
struct FailingRecordTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var sql: String
    var message: String
    var fetches: [@Sendable (Database, String) throws -> Void]

    /// The details of the column `v`, alone in its row.
    init<Record: FetchableRecord & SendableMetatype>(
      _ type: Record.Type, _ value: String, _ reason: String, row: String
    ) {
      self.init(
        type, sql: "SELECT \(value) AS v",
        message: reason + #" - column: "v", column index: 0, row: [v:\#(row)]"#)
    }

    init<Record: FetchableRecord & SendableMetatype>(
      _ type: Record.Type, sql: String, message: String
    ) {
      testDescription = "\(type): \(sql)"
      self.sql = sql
      self.message = message + ", sql: `\(sql)`, arguments: []"
      fetches = [
        { db, sql in _ = try Record.fetchAll(db, sql: sql) },
        { db, sql in _ = try Record.fetchOne(db, sql: sql) },
        { db, sql in _ = try Record.fetchCursor(db, sql: sql).next() },
        { db, sql in _ = try Record.fetchAll(db.makeStatement(sql: sql)) },
        { db, sql in _ = try Record.fetchAll(db, SQLRequest<Record>(sql: sql)) },
        { db, sql in _ = try Record.fetchOne(db, SQLRequest<Record>(sql: sql)) },
      ]
    }
  }

  private static func reason(_ type: String, _ value: String = "NULL") -> String {
    "could not decode \(type) from database value \(value)"
  }

  private static let values = [
    Example(FastNamed<Int>.self, "NULL", reason("Int"), row: "NULL"),
    Example(FastNamed<Int8>.self, "1000", reason("Int8", "1000"), row: "1000"),
    Example(FastNamed<UInt>.self, "-1", reason("UInt", "-1"), row: "-1"),
    Example(FastNamed<Double>.self, "NULL", reason("Double"), row: "NULL"),
    Example(FastNamed<Bool>.self, "NULL", reason("Bool"), row: "NULL"),
    Example(FastNamed<String>.self, "NULL", reason("String"), row: "NULL"),
    Example(FastNamed<Data>.self, "NULL", reason("Data"), row: "NULL"),
    Example(FastNamed<Date>.self, "'x'", reason("Date", #""x""#), row: #""x""#),
    Example(FastNamed<UUID>.self, "'x'", reason("UUID", #""x""#), row: #""x""#),
    Example(FastNamed<Int8?>.self, "1000", reason("Optional<Int8>", "1000"), row: "1000"),
    Example(Named<Int>.self, "NULL", reason("Int"), row: "NULL"),
    Example(Named<URL>.self, "1", reason("URL", "1"), row: "1"),
    Example(Named<Color>.self, "NULL", reason("Color"), row: "NULL"),
    Example(Named<Color>.self, "'purple'", reason("Color", #""purple""#), row: #""purple""#),
    Example(
      Named<Color?>.self, "'purple'", reason("Optional<Color>", #""purple""#), row: #""purple""#),
    Example(ByColumn.self, "NULL", reason("Int"), row: "NULL"),
  ]

  private static let missingColumns = [
    missingColumn(FastNamed<Int>.self),
    missingColumn(Named<URL>.self),
    missingColumn(Named<Color>.self),
    missingColumn(ByColumn.self),
  ]

  private static func missingColumn<Record: FetchableRecord & SendableMetatype>(
    _ type: Record.Type
  ) -> Example {
    Example(type, sql: "SELECT 1 AS w", message: #"column not found: "v" - row: [w:1]"#)
  }

  @Test(arguments: values + missingColumns)
  func `The fetch throws, and the connection goes on`(example: Example) throws {
    try DatabaseQueue().read { db throws in
      for fetch in example.fetches {
        do {
          try fetch(db, example.sql)
          Issue.record("no error")
        } catch {
          #expect(error is RowDecodingError)
          #expect(withoutFindings("\(error)").hasPrefix(example.message))
        }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
    }
  }

  private static let missingIndexes = [
    Example(FastIndexed<Int>.self, sql: "SELECT 1 AS v", message: ""),
    Example(Indexed<Int>.self, sql: "SELECT 1 AS v", message: ""),
    Example(Indexed<URL>.self, sql: "SELECT 1 AS v", message: ""),
    Example(Indexed<Color>.self, sql: "SELECT 1 AS v", message: ""),
    Example(Untyped.self, sql: "SELECT 1 AS v", message: ""),
  ]

  @Test(arguments: missingIndexes)
  func `A query with fewer columns than the record reads is an error`(example: Example) throws {
    try DatabaseQueue().read { db in
      for fetch in example.fetches {
        #expect(throws: RowDecodingError.self) { try fetch(db, example.sql) }
      }
    }
  }

  @Test func `An optional property of a missing column is nil`() throws {
    try DatabaseQueue().read { db throws in
      #expect(try FastNamed<Int?>.fetchAll(db, sql: "SELECT 1 AS w").map(\.value) == [nil])
      #expect(try Named<Color?>.fetchAll(db, sql: "SELECT 1 AS w").map(\.value) == [nil])
    }
  }
}

@Suite("Failures in the midst of records")
struct FailingRecordSequenceTests {
  private struct Pair: FetchableRecord, Hashable {
    var a: Int
    var b: String
    init(row: Row) {
      a = row["a"]
      b = row["b"]
    }
  }

  private func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, b);
          INSERT INTO t VALUES (1, 'x'), (2, NULL), (NULL, NULL), (4, 'z');
          """)
      return try body(db)
    }
  }

  private let sql = "SELECT a, b FROM t ORDER BY rowid"

  @Test func `A cursor gives the records before and after those that fail`() throws {
    try inDatabase { db in
      let cursor = try Pair.fetchCursor(db, sql: sql)
      #expect(try cursor.next()?.b == "x")
      #expect(
        errorText { try cursor.next() }?.hasPrefix(
          """
          could not decode String from database value NULL - column: "b", column index: 1, \
          row: [a:2 b:NULL]
          """) == true)
      // Two properties fail.
      #expect(
        errorText { try cursor.next() }?.contains(
          #"column: "a", column index: 0, row: [a:NULL b:NULL]"#) == true)
      #expect(try cursor.next()?.b == "z")
      #expect(try cursor.next() == nil)
    }
  }

  @Test func `The first failure of a row is the one to report`() throws {
    try inDatabase { db in
      let text = errorText { try Pair.fetchOne(db, sql: sql + " LIMIT 1 OFFSET 2") }
      #expect(text?.contains(#"column: "a", column index: 0, row: [a:NULL b:NULL]"#) == true)
    }
  }

  @Test func `A failure is forgotten: the same statement decodes other rows`() throws {
    try inDatabase { db in
      for _ in 1...2 {
        #expect(throws: RowDecodingError.self) { try Pair.fetchAll(db, sql: sql) }
        #expect(throws: RowDecodingError.self) { try Pair.fetchSet(db, sql: sql) }
      }
      try db.execute(sql: "DELETE FROM t WHERE b IS NULL")
      #expect(try Pair.fetchAll(db, sql: sql).map(\.a) == [1, 4])
      #expect(try Pair.fetchSet(db, sql: sql).count == 2)
    }
  }

  @Test func `A record that catches nothing of a throwing decode throws it itself`() throws {
    struct Strict: FetchableRecord {
      init(row: Row) throws { _ = try row.decode(Int.self, forColumn: "b") }
    }
    try inDatabase { db in
      try db.execute(sql: "DELETE FROM t WHERE b IS NOT NULL")
      #expect(throws: RowDecodingError.self) { try Strict.fetchAll(db, sql: sql) }
    }
  }

  @Test func `A failure in a record of a scope is reported with the columns of the scope`() throws {
    struct Outer: FetchableRecord {
      var inner: Pair
      init(row: Row) { inner = row["inner"] }
    }
    struct OptionalOuter: FetchableRecord {
      var inner: Pair?
      init(row: Row) { inner = row["inner"] }
    }
    struct ByRow: FetchableRecord {
      var inner: Pair?
      init(row: Row) { inner = row.scopes["inner"].map(Pair.init(row:)) }
    }
    try DatabaseQueue().read { db in
      let sql = "SELECT 0 AS z, 1 AS a, NULL AS b"
      let adapter = ScopeAdapter(["inner": SuffixRowAdapter(fromIndex: 1)])
      let fetches: [() throws -> Any] = [
        { try Outer.fetchAll(db, sql: sql, adapter: adapter) },
        { try OptionalOuter.fetchAll(db, sql: sql, adapter: adapter) },
        { try ByRow.fetchAll(db, sql: sql, adapter: adapter) },
      ]
      for fetch in fetches {
        #expect(
          errorText(fetch)?.hasPrefix(
            """
            could not decode String from database value NULL - column: "b", column index: 1, \
            row: [a:1 b:NULL], sql: `\(sql)`
            """) == true)
      }
    }
  }

  @Test func `A failure before a record of a scope names the record around it`() throws {
    struct Inner: FetchableRecord {
      var a: Int
      init(row: Row) throws { a = try row.decode(forColumn: "a") }
    }
    struct Outer: FetchableRecord {
      var z: Int
      var inner: Inner
      init(row: Row) throws {
        z = row["z"]
        inner = try row.decode(forKey: "inner")
      }
    }
    try DatabaseQueue().read { db in
      let sql = "SELECT 'A' AS z, 1 AS a"
      let adapter = ScopeAdapter(["inner": SuffixRowAdapter(fromIndex: 1)])
      let error = #expect(throws: RowDecodingError.self) {
        try Outer.fetchAll(db, sql: sql, adapter: adapter)
      }
      #expect(error?.description.contains("column: \"z\"") == true)
      #expect(error?.recordType == "Outer")
    }
  }

  @Test func `A missing scope, or one that is all NULL, is an error of the fetch`() throws {
    struct Outer: FetchableRecord {
      var inner: Pair
      init(row: Row) { inner = row["inner"] }
    }
    try DatabaseQueue().read { db in
      let sql = "SELECT 0 AS z, NULL AS a, NULL AS b"
      let adapter = ScopeAdapter(["inner": SuffixRowAdapter(fromIndex: 1)])
      #expect(
        errorText { try Outer.fetchAll(db, sql: sql, adapter: adapter) }?.hasPrefix(
          #"scope "inner" only contains null values - row: [z:0 a:NULL b:NULL]"#) == true)
      #expect(
        errorText { try Outer.fetchOne(db, sql: sql) }?.hasPrefix(
          #"scope not found: "inner"\#n"#) == true)
    }
  }

  @Test func `Rows that were not prefetched are an error of the fetch`() throws {
    struct Outer: FetchableRecord {
      var pairs: [Pair]
      var set: Set<Pair>
      init(row: Row) {
        pairs = row["pairs"]
        set = row["pairs"]
      }
    }
    try DatabaseQueue().read { db in
      #expect(
        errorText { try Outer.fetchAll(db, sql: "SELECT 1 AS z") }?.hasPrefix(
          #"key for prefetched rows not found: "pairs"\#n"#) == true)
    }
  }
}

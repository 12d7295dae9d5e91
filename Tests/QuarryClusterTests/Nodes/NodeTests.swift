// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  /// Tests with nodes of dqlite: `Scripts/cluster test` runs them.
  @Suite(
    "Nodes of a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct NodeTests {
    /// Runs a test with a connection to the leader of a cluster, and a table.
    private func withSession(
      nodes count: Int = 1, _ body: (TestCluster, NodeSession, UInt32) throws -> Void
    ) throws {
      try TestCluster.with(nodes: count) { cluster in
        let leader = try cluster.administration.leader().address
        let session = try NodeSession(to: leader, timeout: .seconds(60))
        let database = try session.open("library")
        try execute(
          "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, price DOUBLE, cover BLOB)",
          session,
          database)
        try body(cluster, session, database)
      }
    }

    @discardableResult
    private func execute(
      _ sql: String, _ session: NodeSession, _ database: UInt32, _ arguments: [DatabaseValue] = []
    ) throws -> (lastInsertedRowID: Int64, changesCount: Int) {
      let statement = try session.prepare(sql, in: database).statement
      defer { try? session.order(.finalize(statement)) }
      return try session.execute(statement, arguments)
    }

    private func rows(
      _ sql: String, _ session: NodeSession, _ database: UInt32, _ arguments: [DatabaseValue] = []
    ) throws -> [[DatabaseValue]] {
      let result = try session.query(session.prepare(sql, in: database).statement, arguments)
      return try rows(result)
    }

    private func rows(_ result: NodeResult) throws -> [[DatabaseValue]] {
      var (row, rows): ([WireValue], [[DatabaseValue]]) = ([], [])
      while try result.next(&row) {
        rows.append(
          row.map { value in
            switch value {
            case .null: .null
            case .integer(let number): number.databaseValue
            case .double(let number): number.databaseValue
            case .boolean(let flag): flag.databaseValue
            case .text(let range), .dateText(let range):
              String(decoding: result.bytes[range], as: UTF8.self).databaseValue
            case .blob(let range): Data(result.bytes[range]).databaseValue
            }
          })
      }
      return rows
    }

    @Test func `values come back as they were written`() throws {
      try withSession { _, session, database in
        let values: [[DatabaseValue]] = [
          [
            1.databaseValue, "Dune".databaseValue, 9.5.databaseValue,
            Data([0, 1, 0]).databaseValue,
          ],
          [Int64.max.databaseValue, "".databaseValue, (-Double.infinity).databaseValue, .null],
          [
            Int64.min.databaseValue, "日本語 12345".databaseValue,
            Double.leastNonzeroMagnitude.databaseValue, Data().databaseValue,
          ],
          [0.databaseValue, .null, .null, Data(repeating: 7, count: 100_001).databaseValue],
        ]
        for row in values {
          let result = try execute(
            "INSERT INTO book VALUES (?, ?, ?, ?)", session, database, row)
          #expect(result.changesCount == 1)
          #expect(result.lastInsertedRowID.databaseValue == row[0])
        }
        let sql = "SELECT * FROM book ORDER BY rowid"
        #expect(try rows(sql, session, database) == [values[2], values[3], values[0], values[1]])
      }
    }

    @Test func `a statement has parameters, and a text that may go on`() throws {
      try withSession { _, session, database in
        let sql = "SELECT ?, ?3; SELECT 2"
        let (_, parameterCount, length) = try session.prepare(sql, in: database)
        #expect(parameterCount == 3)
        #expect(length == "SELECT ?, ?3;".utf8.count)
        let many = (0..<1000).map { $0.databaseValue }
        let list = Array(repeating: "?", count: many.count).joined(separator: ", ")
        #expect(
          try rows(
            "SELECT max(x) FROM (SELECT 0 AS x UNION ALL SELECT * FROM json_each('[]'))"
              .replacing("SELECT * FROM json_each('[]')", with: "SELECT 999 IN (\(list))"),
            session, database, many) == [[1.databaseValue]])
      }
    }

    @Test func `long results come in batches, and other requests may come between them`() throws {
      try withSession { _, session, database in
        let sql =
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n"
        let statement = try session.prepare(sql, in: database).statement
        let first = try session.query(statement, [])
        var row: [WireValue] = []
        #expect(try first.next(&row))
        #expect(row == [.integer(1)])
        // What was not read of the first result is kept.
        let second = try session.query(session.prepare(sql, in: database).statement, [])
        #expect(try rows(first).map { $0[0] } == (2...5000).map { $0.databaseValue })
        #expect(try second.next(&row))
        second.close()
        #expect(try rows("SELECT 7", session, database) == [[7.databaseValue]])
      }
    }

    private func failure(_ body: () throws -> Void) throws -> NodeFailure? {
      do {
        try body()
        return nil
      } catch let failure as NodeFailure {
        return failure
      }
    }

    @Test func `errors have the code and the message of SQLite`() throws {
      try withSession { _, session, database in
        let missing = try failure { _ = try session.prepare("SELECT * FROM author", in: database) }
        #expect(missing == NodeFailure(code: 1, message: "no such table: author"))
        try execute("INSERT INTO book (id) VALUES (1)", session, database)
        let duplicate = try failure {
          try execute("INSERT INTO book (id) VALUES (1)", session, database)
        }
        #expect(duplicate == NodeFailure(code: 1555, message: "UNIQUE constraint failed: book.id"))
        // In the third row, behind two that are in the same message.
        for value in [2, 3] {
          try execute(
            "INSERT INTO book (id, price) VALUES (?, ?)", session, database,
            [value.databaseValue, value.databaseValue])
        }
        let sql =
          "SELECT abs(CASE id WHEN 3 THEN -9223372036854775807 - 1 ELSE id END) AS x FROM book"
        let late = try failure { _ = try rows(sql, session, database) }
        #expect(late == NodeFailure(code: 1, message: "integer overflow"))
        let count = try rows("SELECT count(*) FROM book", session, database)
        #expect(count == [[3.databaseValue]])
      }
    }

    @Test func `a transaction ends with its connection`() throws {
      try withSession { cluster, session, database in
        let other = try NodeSession(to: session.address, timeout: .seconds(60))
        let otherDatabase = try other.open("library")
        try execute("BEGIN IMMEDIATE", other, otherDatabase)
        try execute("INSERT INTO book (id) VALUES (1)", other, otherDatabase)
        #expect(try rows("SELECT count(*) FROM book", session, database) == [[0.databaseValue]])
        let busy = try #require(throws: NodeFailure.self) {
          try execute("INSERT INTO book (id) VALUES (2)", session, database)
        }
        #expect(busy.code & 0xFF == 5)
        other.interruption()
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
          do {
            try execute("INSERT INTO book (id) VALUES (2)", session, database)
            break
          } catch let failure as NodeFailure where failure.code & 0xFF == 5 && .now < deadline {
            Thread.sleep(forTimeInterval: 0.01)
          }
        }
        #expect(try rows("SELECT id FROM book", session, database) == [[2.databaseValue]])
      }
    }
  }
#endif

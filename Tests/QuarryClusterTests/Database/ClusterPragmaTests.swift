// Nodes run on Linux.
#if os(Linux)
  import Quarry
  import Testing

  @testable import QuarryCluster

  @Suite("Pragmas of connections that are lost")
  struct ClusterPragmaTests {
    /// A node that leads, may be away or fail, and notes the pragmas of connections.
    private final class Leader: Sendable {
      let isAway = Locked(false)
      let fails = Locked(false)
      let texts = Locked<[String]>([])
      let pragmas = Locked<[String]>([])
      let connections = Locked(0)

      func answer(_ request: [UInt8], of address: String) -> [UInt8]? {
        guard !isAway.withLock({ $0 }) else { return nil }
        switch request[4] {
        case 3: connections.withLock { $0 += 1 }
        case 4:
          let text = FakeLeader.text(request)
          texts.withLock { $0.append(text) }
          let isPragma = text.hasPrefix("PRAGMA ") && text.contains("=")
          if isPragma { pragmas.withLock { $0.append(text) } }
        case 6 where fails.withLock({ $0 }): return FakeLeader.failure(10, "disk I/O error")
        default: break
        }
        return FakeLeader(commit: FakeLeader.result).answer(request, of: address)
      }
    }

    /// Runs a function with a connection to a node.
    private func withLeader(
      _ configuration: Configuration = Configuration(), _ body: (Database, Leader) throws -> Void
    ) throws {
      let leader = Leader()
      let node = try FakeNode(answer: { request, address in
        leader.answer(request, of: address)
      })
      defer { withExtendedLifetime(node) {} }
      var options = ClusterOptions()
      options.pollInterval = nil
      options.electionTimeout = .seconds(1)
      let cluster = try DatabaseCluster(
        nodes: [node.address], name: "library", configuration: configuration, options: options)
      try cluster.writeWithoutTransaction { db in try body(db, leader) }
    }

    /// The pragmas of a connection that is made after a former one was lost.
    private func pragmas(
      _ access: (Database) throws -> Void, whileAway body: (Database) throws -> Void
    ) throws -> [String] {
      var pragmas: [String] = []
      try withLeader { db, leader in
        try access(db)
        leader.isAway.withLock { $0 = true }
        try body(db)
        leader.isAway.withLock { $0 = false }
        leader.pragmas.withLock { $0 = [] }
        // The first statement connects again.
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
        pragmas = leader.pragmas.withLock { $0 }
      }
      #expect(pragmas.last == "PRAGMA recursive_triggers = ON")
      return pragmas.dropLast()
    }

    private static let off = "PRAGMA foreign_keys = OFF"

    @Test(arguments: [
      "PRAGMA foreign_keys = ON", "pragma Foreign_Keys=1", "PRAGMA main.foreign_keys = 'yes'",
      "PRAGMA foreign_keys(true)",
    ])
    func `foreign keys that are enforced again during an outage are enforced after it`(
      sql: String
    ) throws {
      try withLeader { db, leader in
        try db.execute(sql: Self.off)
        leader.isAway.withLock { $0 = true }
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: sql) }
        leader.isAway.withLock { $0 = false }
        leader.texts.withLock { $0 = [] }
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
        // The first one is that of the preparation, the last one is that of the statement.
        let pragmas = leader.texts.withLock { texts in
          texts.filter { $0.lowercased().contains("foreign_keys") }
        }
        #expect(pragmas == ["PRAGMA foreign_keys = ON", sql])
      }
    }

    @Test(arguments: ["foreign_keys = 0", "foreign_keys = false", "legacy_alter_table = 1"])
    func `a failed pragma that does not end a former one is not left to the next connection`(
      pragma: String
    ) throws {
      let former = ["PRAGMA foreign_keys = OFF", "PRAGMA legacy_alter_table = ON"]
      let pragmas = try pragmas { db in
        for sql in former { try db.execute(sql: sql) }
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "PRAGMA \(pragma)") }
      }
      #expect(pragmas.suffix(2) == former[...])
    }

    @Test func `foreign keys that can't be switched off are enforced`() throws {
      let pragmas = try pragmas { _ in
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.withoutForeignKeys {} }
      }
      #expect(pragmas.last == "PRAGMA foreign_keys = ON")
    }

    @Test(arguments: ["foreign_keys = OFF", "query_only = ON", "legacy_alter_table = ON"])
    func `a pragma that fails during an outage has no effect after it`(pragma: String) throws {
      let pragmas = try pragmas { _ in
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "PRAGMA \(pragma)") }
      }
      #expect(pragmas == ["PRAGMA foreign_keys = ON"])
    }

    @Test func `writes go on after a pragma that would have forbidden them has failed`() throws {
      try withLeader { db, leader in
        try db.execute(sql: "CREATE TABLE book (title TEXT)")
        leader.fails.withLock { $0 = true }
        _ = #expect(throws: DatabaseError.self) { try db.execute(sql: "PRAGMA query_only = ON") }
        leader.fails.withLock { $0 = false }
        try db.execute(sql: "INSERT INTO book VALUES ('The Trial')")
      }
    }

    private static let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author ON DELETE CASCADE);
      CREATE TABLE log (bookId INTEGER);
      CREATE TRIGGER logged AFTER DELETE ON book BEGIN INSERT INTO log VALUES (old.id); END;
      CREATE VIEW authorId AS SELECT id FROM author;
      """

    /// The tables that a statement changes, as observers are notified of them.
    private func tables(changedBy sql: String, _ db: Database) throws -> Set<String> {
      try Set(db.makeStatement(sql: sql).effects.kinds.map(\.tableName))
    }

    private func fail(_ pragma: String, _ db: Database, _ leader: Leader) {
      leader.fails.withLock { $0 = true }
      _ = #expect(throws: DatabaseError.self) { try db.execute(sql: "PRAGMA \(pragma)") }
      leader.fails.withLock { $0 = false }
    }

    private static let deletion = "DELETE FROM author"
    private static let replacement = "REPLACE INTO book VALUES (1, 1)"

    @Test func `a pragma that fails has no effect on the copy of the schema`() throws {
      try withLeader { db, leader in
        try db.execute(sql: Self.schema)
        for pragma in ["foreign_keys = OFF", "recursive_triggers = ON", "legacy_alter_table = ON"] {
          fail(pragma, db, leader)
        }
        try #expect(tables(changedBy: Self.deletion, db) == ["author", "book", "log"])
        try #expect(!tables(changedBy: Self.replacement, db).contains("log"))
        try db.execute(sql: "ALTER TABLE author RENAME TO writer")
        _ = try db.makeStatement(sql: "SELECT id FROM authorId")
        // A pragma that was executed before keeps its value.
        try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = ON")
        fail("recursive_triggers = OFF", db, leader)
        try #expect(tables(changedBy: "DELETE FROM writer", db) == ["writer"])
        try #expect(tables(changedBy: Self.replacement, db).contains("log"))
      }
    }

    @Test func `a pragma that the node does not execute has no effect on the copy of the schema`()
      throws
    {
      try withLeader { db, _ in
        try db.execute(sql: Self.schema)
        let pragma = try db.makeStatement(sql: Self.off)
        try #expect(tables(changedBy: Self.deletion, db) == ["author", "book", "log"])
        try db.inTransaction {
          try pragma.execute()
          return .commit
        }
        try #expect(tables(changedBy: Self.deletion, db) == ["author", "book", "log"])
        try pragma.execute()
        try #expect(tables(changedBy: Self.deletion, db) == ["author"])
      }
    }

    @Test func `a pragma that was compiled in a transaction has its effect after it`() throws {
      try withLeader { db, _ in
        try db.execute(sql: Self.schema)
        var pragma: Statement?
        try db.inTransaction {
          pragma = try db.makeStatement(sql: Self.off)
          return .commit
        }
        try pragma?.execute()
        try #expect(tables(changedBy: Self.deletion, db) == ["author"])
      }
    }

    @Test(arguments: ["= OFF DELETE FROM log", "= OFF x", "= 0 = 1", "(OFF) x"])
    func `foreign keys are not switched off by a pragma with a mistake after its value`(
      value: String
    ) throws {
      try withLeader { db, _ in
        try db.execute(sql: Self.schema)
        for command in ["PRAGMA", "-- Books\nEXPLAIN PRAGMA"] {
          _ = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "\(command) foreign_keys \(value)")
          }
          try #expect(tables(changedBy: Self.deletion, db) == ["author", "book", "log"])
        }
      }
    }

    @Test func `a pragma with a mistake after its value has no effect on the copy of the schema`()
      throws
    {
      try withLeader { db, leader in
        try db.execute(sql: Self.schema)
        try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = ON")
        var log: [String] = []
        db.trace { log.append("\($0)") }
        leader.pragmas.withLock { $0 = [] }
        for pragma in [
          "foreign_keys = ON x", "recursive_triggers = OFF x", "short_column_names = OFF x",
          "full_column_names = ON x",
        ] {
          let error = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "PRAGMA \(pragma)")
          }
          #expect(error?.message?.hasPrefix("near \"x\": syntax error") == true)
        }
        db.trace()
        #expect(log == [])
        let pragmas = leader.pragmas.withLock { $0 }
        #expect(pragmas == [])
        // The values are those that were executed before.
        try #expect(tables(changedBy: Self.deletion, db) == ["author"])
        try #expect(tables(changedBy: Self.replacement, db).contains("log"))
        try #expect(db.makeStatement(sql: "SELECT id FROM author").columnNames == ["id"])
      }
    }

    @Test func `a trace shows a pragma once`() throws {
      try withLeader { db, _ in
        var log: [String] = []
        db.trace { log.append("\($0)") }
        try db.execute(sql: Self.off)
        db.trace()
        #expect(log == [Self.off])
      }
    }

    @Test func `a trace does not show a pragma that the node has not executed`() throws {
      try withLeader { db, leader in
        try db.execute(sql: Self.off)
        var log: [String] = []
        db.trace { log.append("\($0)") }
        fail("foreign_keys = ON", db, leader)
        db.trace()
        #expect(log == [])
      }
    }

    @Test func `the copy of the schema keeps the pragmas where the next connection fails`() throws {
      let fails = Locked(false)
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.prepareDatabase { db in
        guard fails.withLock({ $0 }) else { return }
        // The next connection, whose node has no table.
        try db.execute(sql: Self.schema)
        throw DatabaseError(resultCode: .SQLITE_IOERR)
      }
      try withLeader(configuration) { db, leader in
        try db.execute(sql: "PRAGMA foreign_keys = ON")
        leader.isAway.withLock { $0 = true }
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "BEGIN") }
        leader.isAway.withLock { $0 = false }
        fails.withLock { $0 = true }
        _ = #expect(throws: DatabaseError.self) { try db.execute(sql: "BEGIN") }
        try #expect(tables(changedBy: Self.deletion, db) == ["author", "book", "log"])
      }
    }

    @Test
    func `the copy of the schema has the pragmas of the preparation and of the next connection`()
      throws
    {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
      }
      try withLeader(configuration) { db, leader in
        try db.execute(sql: Self.schema)
        fail("foreign_keys = ON", db, leader)
        fail("recursive_triggers = OFF", db, leader)
        try #expect(tables(changedBy: Self.deletion, db) == ["author"])
        try #expect(tables(changedBy: Self.replacement, db).contains("log"))
        try db.execute(sql: "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = OFF")
        leader.isAway.withLock { $0 = true }
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "BEGIN") }
        leader.isAway.withLock { $0 = false }
        // The next connection, whose node has no table.
        try db.execute(sql: "PRAGMA case_sensitive_like = OFF")
        try db.execute(sql: Self.schema)
        try #expect(tables(changedBy: Self.deletion, db) == ["author", "book", "log"])
        try #expect(!tables(changedBy: Self.replacement, db).contains("log"))
      }
    }

    @Test func `a schema is copied where the connection may not write`() throws {
      try withLeader { db, leader in
        try db.execute(sql: "CREATE TABLE book (title TEXT)")
        try db.execute(sql: "PRAGMA query_only = ON")
        leader.isAway.withLock { $0 = true }
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "BEGIN") }
        leader.isAway.withLock { $0 = false }
        // The node has no table any more, and the copy drops its own.
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
      }
    }

    @Test func `a pragma that fails on a connection that works does not close it`() throws {
      try withLeader { db, leader in
        let connections = leader.connections.withLock { $0 }
        leader.fails.withLock { $0 = true }
        _ = #expect(throws: DatabaseError.self) { try db.execute(sql: Self.off) }
        leader.fails.withLock { $0 = false }
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
        #expect(leader.connections.withLock { $0 } == connections)
      }
    }

    @Test func `foreign keys are enforced by another connection where this one can't do it`() throws
    {
      try withLeader { db, leader in
        let connections = leader.connections.withLock { $0 }
        try db.withoutForeignKeys { leader.fails.withLock { $0 = true } }
        leader.fails.withLock { $0 = false }
        leader.pragmas.withLock { $0 = [] }
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
        #expect(leader.connections.withLock { $0 } == connections + 1)
        #expect(
          leader.pragmas.withLock { $0 }.suffix(2)
            == ["PRAGMA foreign_keys = ON", "PRAGMA recursive_triggers = ON"])
      }
    }

    @Test func `a pragma stays that of the next connection`() throws {
      let pragmas = try pragmas { db in
        try db.execute(sql: Self.off)
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "BEGIN") }
      }
      #expect(pragmas.last == Self.off)
    }

    /// SQLite ignores it there.
    @Test func `foreign keys stay enforced where a transaction has switched them off`() throws {
      let pragmas = try pragmas { db in
        try db.inTransaction {
          try db.execute(sql: Self.off)
          return .commit
        }
      } whileAway: { db in
        _ = #expect(throws: ClusterError.self) { try db.execute(sql: "BEGIN") }
      }
      #expect(!pragmas.contains(Self.off))
    }
  }
#endif

// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryBlobs
  import QuarryTables
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  /// What a node can't do, or answers wrongly, is refused before it is asked.
  @Suite(
    "The guard of a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct ClusterGuardTests {
    private func expectRefusal(
      _ cluster: DatabaseCluster, mentions text: String, _ body: (Database) throws -> Void
    ) {
      let error = #expect(throws: ClusterError.self) {
        try cluster.writeWithoutTransaction { db throws in try body(db) }
      }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains(text) == true, "\(String(describing: error))")
    }

    @Test func `Statements that stop a node, or do nothing there, are refused`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let refused = [
          "PRAGMA journal_mode = WAL": "PRAGMA journal_mode",
          "PRAGMA page_size = 8192": "page_size",
          "pragma main.synchronous = 0": "synchronous", "PRAGMA locking_mode(EXCLUSIVE)": "locking",
          "PRAGMA wal_checkpoint(FULL)": "wal_checkpoint",
          "PRAGMA busy_timeout = 5": "busy_timeout",
          "PRAGMA mmap_size = 0": "mmap_size", "ATTACH ':memory:' AS other": "no other databases",
          "DETACH other": "no other databases", "VACUUM INTO '/tmp/x'": "dump",
          "/* a */ vacuum main into 'x'": "dump", "-- c\nPRAGMA cache_size=1": "cache_size",
        ]
        for (sql, text) in refused {
          expectRefusal(cluster, mentions: text) { db in try db.execute(sql: sql) }
        }
        // Nothing is broken.
        let one = try cluster.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
        #expect(one == 1)
      }
    }

    @Test(arguments: ["BOOLEAN", "boolean", "DATE", "DATETIME", "TIMESTAMP"])
    func `Columns whose values a node changes are not read as they are`(_ type: String) throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          try db.execute(sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, seen \(type))")
          try db.execute(sql: "INSERT INTO visit VALUES (1, NULL), (2, 7), (3, 0.5), (4, x'01')")
        }
        for sql in [
          "SELECT * FROM visit", "SELECT seen AS other FROM visit",
          "SELECT (SELECT seen FROM visit) FROM author UNION SELECT seen FROM visit",
          "WITH v AS (SELECT seen FROM visit) SELECT seen FROM v",
        ] {
          expectRefusal(cluster, mentions: "declared as \(type)") { db in
            _ = try Row.fetchAll(db, sql: sql)
          }
        }
        expectRefusal(cluster, mentions: "\"seen\"") { db in
          try db.execute(sql: "INSERT INTO visit (seen) VALUES (1) RETURNING seen")
        }
        let values = try cluster.read { db in
          try DatabaseValue.fetchAll(db, sql: "SELECT +seen FROM visit ORDER BY id")
        }
        #expect(
          values == [.null, 7.databaseValue, 0.5.databaseValue, Data([1]).databaseValue])
      }
    }

    @Test func `Tables of the library have columns that nodes send as they are`() throws {
      struct Visit: Codable, Equatable, FetchableRecord, PersistableRecord {
        var id: Int64
        var isLong: Bool?
        var begin: Date?
        var day: String?
      }
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          try db.create(table: "visit") { t in
            t.primaryKey("id", .integer)
            t.column("isLong", .boolean)
            t.column("begin", .datetime)
          }
          try db.alter(table: "visit") { t in t.add(column: "day", .date) }
        }
        let visits = [
          Visit(
            id: 1, isLong: true, begin: Date(timeIntervalSince1970: 1_700_000_000), day: "2026"),
          Visit(id: 2, isLong: false), Visit(id: 3),
        ]
        try cluster.write { db in for visit in visits { try visit.insert(db) } }
        let stored = try cluster.read { db in try Visit.order(Column("id")).fetchAll(db) }
        #expect(stored == visits)
        let types = try cluster.read { db in try db.columns(in: "visit").map(\.type) }
        #expect(types == ["INTEGER", "BOOL", "DATE_TIME", "DATE_ONLY"])
      }
    }

    @Test func `Texts with a NUL are refused, and blobs with zeros are stored`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let error = #expect(throws: DatabaseError.self) {
          try cluster.write { db in
            try db.execute(
              sql: "INSERT INTO author (id, name) VALUES (?, ?)", arguments: [1, "a\0b"])
          }
        }
        #expect(error?.message?.contains("argument 2 has a NUL character") == true)
        try cluster.write { db in
          try db.execute(
            sql: "INSERT INTO author (id, name) VALUES (1, ?)", arguments: [Data([97, 0, 98])])
          let name = try Data.fetchOne(db, sql: "SELECT name FROM author")
          #expect(name == Data([97, 0, 98]))
        }
      }
    }

    @Test func `Code in Swift is missed by statements with its reason`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.writeWithoutTransaction { db throws in
          db.add(function: DatabaseFunction("twice", argumentCount: 1) { _ in 2 })
          db.add(collation: DatabaseCollation("backwards") { $1.compare($0) })
          for sql in [
            "SELECT twice(1)", "SELECT name FROM author ORDER BY name COLLATE backwards",
            "SELECT name FROM author ORDER BY name COLLATE swiftLocalizedCompare",
          ] {
            let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
            #expect(error?.message?.contains("Swift code in statements") == true)
          }
        }
      }
    }

    @Test func `What no statement does is refused`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        expectRefusal(cluster, mentions: "a blob stream") { db in
          _ = try db.openBlob(table: "author", column: "name", rowID: 1)
        }
        expectRefusal(cluster, mentions: "a checkpoint") { db in try db.checkpoint() }
        expectRefusal(cluster, mentions: "serialization") { db in _ = try db.serialize() }
        let other = try DatabaseQueue()
        let forwards = #expect(throws: ClusterError.self) { try cluster.backup(to: other) }
        #expect(forwards?.code == .unsupported)
        let backwards = #expect(throws: ClusterError.self) { try other.backup(to: cluster) }
        #expect(backwards?.code == .unsupported)
        #expect(!cluster.capabilities.contains(.swiftFunctions))
        #expect(cluster.capabilities.contains([.observation, .replication]))
      }
    }

    @Test func `Extensions, and names that are none, are refused at the beginning`() throws {
      try TestCluster.with(nodes: 1) { nodes throws in
        var configuration = Configuration()
        configuration.extensions = [.file("/nowhere.so")]
        let error = #expect(throws: ClusterError.self) {
          try nodes.database(configuration: configuration)
        }
        #expect(error?.code == .unsupported)
        for name in ["", "a\0b", ":memory:"] {
          let error = #expect(throws: ClusterError.self) { try nodes.database(name) }
          #expect(error?.code == .refused)
        }
      }
    }

    @Test func `Many parameters are sent, and as many columns as a node can send`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let count = 1_000
        let list = Array(repeating: "(?)", count: count).joined(separator: ", ")
        let sum = try cluster.read { db in
          try Int.fetchOne(
            db, sql: "WITH n(i) AS (VALUES \(list)) SELECT sum(i) FROM n",
            arguments: StatementArguments(0..<count))
        }
        #expect(sum == 499_500)
        let columns = (0..<508).map { "\($0) AS c\($0)" }.joined(separator: ", ")
        let row = try cluster.read { db in try Row.fetchOne(db, sql: "SELECT \(columns)") }
        #expect(row?.count == 508)
        #expect(row?.databaseValues.last == 507.databaseValue)
        let names = Array(repeating: "1", count: 1_999).joined(separator: ", ")
        expectRefusal(cluster, mentions: "names of the columns") { db in
          _ = try Row.fetchOne(db, sql: "SELECT \(names)")
        }
      }
    }
  }
#endif

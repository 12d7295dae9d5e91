// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  /// Large statements, and what nodes and the shadow do differently.
  @Suite(
    "The limits of a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct ClusterLimitTests {
    @Test(arguments: [100, 101, 2_501, 32_766])
    func `As many arguments as SQLite has are sent in order`(_ count: Int) throws {
      try TestCluster.withDatabase { _, cluster throws in
        let list = Array(repeating: "(?)", count: count).joined(separator: ", ")
        let numbers = try cluster.read { db in
          try Int.fetchAll(db, sql: "VALUES \(list)", arguments: StatementArguments(0..<count))
        }
        #expect(numbers == Array(0..<count))
      }
    }

    @Test func `A query with a long name of its column is answered`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in try Author(id: 1, name: "Franz Kafka").insert(db) }
        let list = Array(repeating: "?", count: 3_000).joined(separator: ", ")
        let sql = "SELECT EXISTS (SELECT 1 FROM author WHERE id IN (\(list)))"
        for (start, exists) in [(1, true), (2, false)] {
          let row = try cluster.read { db in
            try Row.fetchOne(db, sql: sql, arguments: StatementArguments(start..<start + 3_000))
          }
          #expect(row.map { Array($0.columnNames) } == [String(sql.dropFirst("SELECT ".count))])
          #expect(row?[0] == exists)
        }
      }
    }

    @Test func `Names that fill a page of the node are refused`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        let columns = (0..<510).map { "\($0)" }.joined(separator: ", ")
        let name = String(repeating: "n", count: 5_000)
        for sql in ["SELECT \(columns)", "SELECT id AS \(name) FROM author ORDER BY id"] {
          let error = #expect(throws: ClusterError.self) {
            try cluster.read { db in _ = try Row.fetchAll(db, sql: sql) }
          }
          #expect(error?.code == .unsupported)
          #expect(error?.message.contains("short names with AS") == true)
        }
      }
    }

    /// A node aborts on the first wide row near the end of a page, unless its memory was enlarged.
    @Test func `Wide rows are read with a new connection`() throws {
      try TestCluster.with(nodes: 1) { nodes throws in
        let sql = "SELECT \((0..<500).map { "\($0)" }.joined(separator: ", "))"
        let cluster = try nodes.database()
        let row = try cluster.read { db in try Row.fetchOne(db, sql: sql) }
        #expect(row.map { Array($0.databaseValues) } == (0..<500).map(\.databaseValue))
      }
    }

    @Test(arguments: ["full_column_names = ON", "short_column_names = OFF", "count_changes = ON"])
    func `A pragma that is refused has no effect`(_ pragma: String) throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.writeWithoutTransaction { db throws in
          #expect(throws: ClusterError.self) { try db.execute(sql: "PRAGMA \(pragma)") }
          try Author(id: 1, name: "Franz Kafka").insert(db)
          let row = try Row.fetchOne(db, sql: "SELECT author.id FROM author")
          #expect(row == ["id": 1])
        }
      }
    }

    @Test func `No table is dropped while rows are read`() throws {
      try TestCluster.withDatabase { _, cluster throws in
        try cluster.write { db in
          for id in 1...2 as ClosedRange<Int64> { try Author(id: id, name: "\(id)").insert(db) }
        }
        try cluster.writeWithoutTransaction { db throws in
          let cursor = try Row.fetchCursor(db, sql: "SELECT id FROM author")
          _ = try cursor.next()
          let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "DROP TABLE book") }
          #expect(error?.resultCode == .SQLITE_LOCKED)
          #expect(try cursor.next() != nil)
          #expect(try db.tableExists("book"))
        }
      }
    }

    @Test func `Foreign keys are not enforced where the configuration says so`() throws {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      try TestCluster.withDatabase(configuration: configuration) { _, cluster throws in
        try cluster.write { db in
          try db.execute(sql: "INSERT INTO book (title, authorId) VALUES ('x', 7)")
        }
        let count = try cluster.read { db in try Book.fetchCount(db) }
        #expect(count == 1)
      }
    }

    @Test func `A read whose commit is lost has its result`() throws {
      try TestCluster.withDatabase { nodes, cluster in
        try cluster.write { db in try Author(id: 1, name: "Franz Kafka").insert(db) }
        let count = try cluster.read { db in
          let count = try Author.fetchCount(db)
          nodes.nodes[1]?.kill()
          return count
        }
        #expect(count == 1)
      }
    }

    @Test func `What no cluster has is refused at the beginning`() throws {
      try TestCluster.with(nodes: 1) { nodes throws in
        for name in ["file:library", "library-wal", "library-journal", "library-shm"] {
          #expect(throws: ClusterError.self) { _ = try nodes.database(name) }
        }
        #expect(throws: ClusterError.self) { _ = try nodes.database(configuration: .untrusted) }
        var options = ClusterOptions()
        options.pollInterval = .zero
        #expect(throws: ClusterError.self) { _ = try nodes.database(options: options) }
      }
    }
  }
#endif

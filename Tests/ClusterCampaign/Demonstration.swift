#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryCluster

  /// Three nodes, a library that lends its books, and a leader that is killed in the middle.
  struct Demonstration {
    private let nodes: TestCluster

    init(in directory: String) throws {
      nodes = try TestCluster(in: directory, nodeCount: 3)
      say("three nodes run at \(nodes.addresses.joined(separator: ", "))")
    }

    struct Book: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "book"
      static let loans = hasMany(Loan.self)
      var id: Int64
      var title: String
    }

    struct Loan: Codable, FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "loan"
      static let book = belongsTo(Book.self)
      var id: Int64?
      var bookId: Int64
      var reader: String
    }

    func run() throws {
      let cluster = try DatabaseCluster(nodes: nodes.addresses, name: "library")
      try migrator.migrate(cluster)
      let titles = ["The Trial", "The Castle", "Amerika"]
      try cluster.write { db in
        for (index, title) in titles.enumerated() {
          try Book(id: Int64(index + 1), title: title).insert(db)
        }
      }
      var acknowledged = 0
      for number in 1...300 {
        if number == 150 { try killLeader() }
        try cluster.write { db in
          var loan = Loan(bookId: Int64(number % titles.count + 1), reader: "reader \(number)")
          try loan.insert(db)
        }
        acknowledged += 1
      }
      try report(cluster, acknowledged)
    }

    private var migrator: DatabaseMigrator {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("books and loans") { db in
        try db.create(table: "book") { t in
          t.primaryKey("id", .integer)
          t.column("title", .text).notNull()
        }
        try db.create(table: "loan") { t in
          t.autoIncrementedPrimaryKey("id")
          t.belongsTo("book", onDelete: .restrict).notNull()
          t.column("reader", .text).notNull()
        }
      }
      return migrator
    }

    private func killLeader() throws {
      let leader = try nodes.administration.leader()
      say("node \(leader.id) leads, and is killed after 149 loans")
      nodes.nodes[leader.id]?.kill()
    }

    private func report(_ cluster: DatabaseCluster, _ acknowledged: Int) throws {
      struct Shelf: Decodable, FetchableRecord {
        var title: String
        var loanCount: Int
      }
      let shelves = try cluster.read { db in
        try Book.annotated(with: Book.loans.count).order(Column("title"))
          .asRequest(of: Shelf.self).fetchAll(db)
      }
      for shelf in shelves { say("\(shelf.title): \(shelf.loanCount) loans") }
      let stored = shelves.map(\.loanCount).reduce(0, +)
      say("node \(try nodes.administration.leader().id) leads now")
      guard stored == acknowledged else {
        say("\(acknowledged) loans were acknowledged, and \(stored) are there")
        exit(1)
      }
      say("\(acknowledged) loans were acknowledged, and all of them are there")
    }
  }
#endif

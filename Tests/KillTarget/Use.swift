import Foundation
import Quarry
import QuarryMigrations

/// What the program does until it is killed, or has done enough.
enum Use {
  static let named: [String: @Sendable (Books) throws -> Void] = [
    "migrations": migrate, "transactions": commit, "batches": insertBatches,
    "rebuilds": rebuild, "observers": observe,
  ]

  /// In a pool, four threads read all the time.
  private static func commit(_ books: Books) throws {
    try books.createTables()
    if books.database is DatabasePool {
      for _ in 1...4 {
        Thread.detachNewThread {
          while true {
            let isWhole = try? books.database.read(Books.areWhole)
            if isWhole != true { tell("a read has seen half a transaction, or failed") }
          }
        }
      }
    }
    for number in 1...500 {
      try books.commit()
      if number.isMultiple(of: 20), !(books.database is DatabaseQueue) {
        _ = try? books.database.writeWithoutTransaction { db in try db.checkpoint() }
      }
    }
  }

  private static func insertBatches(_ books: Books) throws {
    try books.createTables()
    for _ in 1...200 { try books.commit(isBatch: true) }
  }

  /// Migration n creates the table "t<n>" with 50 + n rows and an index, then makes it anew. A line
  /// `m <n>` reports it.
  private static func migrate(_ books: Books) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("m0", migrate: Books.createTables)
    for number in 1...8 {
      migrator.registerMigration("m\(number)") { db in try migrate(db, number) }
    }
    let applied = try books.database.read(migrator.appliedIdentifiers)
    for migration in migrator.migrations {
      if !applied.contains(migration) { try migrator.migrate(books.database, upTo: migration) }
      tell("m \(migration.dropFirst())")
      try books.commit()
    }
  }

  private static func migrate(_ db: Database, _ number: Int) throws {
    let table = "t\(number)"
    try db.create(table: table) { t in
      t.primaryKey("id", .integer)
      t.column("value", .text)
      t.column("parentId", .integer).references(table)
    }
    for id in 1...(50 + number) {
      try db.execute(
        sql: "INSERT INTO \(table) (id, value, parentId) VALUES (?, ?, ?)",
        arguments: [id, String(repeating: "v", count: 200), id > 1 ? id - 1 : nil])
    }
    try db.create(index: "\(table)_value", on: table, columns: ["value", "id"])
    try db.rebuild(table: table) { t in
      t.primaryKey("id", .integer)
      t.column("value", .text).notNull()
      t.column("parentId", .integer).references(table)
    }
  }

  /// Rebuild n gives the table "item" the column "step<n>", whose values are n, in the place of the
  /// one before. A line `r <n>` reports it.
  private static func rebuild(_ books: Books) throws {
    try books.createTables()
    var last = try books.database.write(createItems)
    for _ in 1...100 {
      let number = last + 1
      try books.database.writeWithoutTransaction { db throws -> Void in
        try db.rebuild(table: "item") { t in
          t.autoIncrementedPrimaryKey("id")
          t.column("title", .text).notNull()
          t.column("step\(number)", .integer).notNull().defaults(to: number)
        }
      }
      tell("r \(number)")
      last = number
      if number.isMultiple(of: 5) { try books.commit() }
    }
  }

  /// Returns the number of the last rebuild.
  private static func createItems(_ db: Database) throws -> Int {
    if try !db.tableExists("item") {
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL);
          CREATE INDEX item_title ON item (title);
          CREATE VIEW titles AS SELECT title FROM item;
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 80)
          INSERT INTO item (title) SELECT 'item ' || i || hex(zeroblob(60)) FROM n;
          """)
    }
    let columns = try db.columns(in: "item").map(\.name)
    return columns.compactMap { Int($0.dropFirst("step".count)) }.last ?? 0
  }

  /// What observers are notified of is committed: `t <process> <number>` of a transaction observer,
  /// and `v <count>` of an observation of all transactions.
  private static func observe(_ books: Books) throws {
    try books.createTables()
    let observer = CommitObserver(process: books.process)
    books.database.add(transactionObserver: observer, extent: .databaseLifetime)
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT coalesce(sum(value), 0) FROM counter") ?? 0
    }
    let cancellable = observation.start(
      in: books.database, scheduling: .async(onQueue: DispatchQueue(label: "values"))
    ) { error in
      tell("the observation has failed: \(error)")
    } onChange: { count in
      tell("v \(count)")
    }
    for _ in 1...500 { try books.commit { number in observer.number = number } }
    cancellable.cancel()
  }
}

/// Reports each commit. It is only used on the thread of the writer.
private final class CommitObserver: TransactionObserver, @unchecked Sendable {
  private let process: String
  var number = 0

  init(process: String) { self.process = process }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { tell("t \(process) \(number)") }
  func databaseDidRollback(_ db: Database) {}
}

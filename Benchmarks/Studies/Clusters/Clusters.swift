import Foundation
import Quarry
import QuarryCluster

// The same work in a pool, with each commit on the disk and without, and in a cluster whose nodes
// run on this machine.
//
//     Scripts/cluster study        # starts three nodes

@main
struct Clusters {
  static func main() throws {
    let nodes = (ProcessInfo.processInfo.environment["QUARRY_NODES"] ?? "").split(separator: ",")
    guard !nodes.isEmpty else {
      FileHandle.standardError.write(
        Data("QUARRY_NODES is not set: run Scripts/cluster study\n".utf8))
      exit(64)
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-clusters-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var full = Configuration()
    full.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    try report(
      "pool, synchronous = NORMAL", DatabasePool(path: folder.appendingPathComponent("a").path))
    // The pool sets the mode itself after the preparation.
    let safe = try DatabasePool(path: folder.appendingPathComponent("b").path, configuration: full)
    try safe.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    try report("pool, synchronous = FULL", safe)
    try report(
      "cluster of \(nodes.count) nodes",
      DatabaseCluster(nodes: nodes.map(String.init), name: "study"))
  }

  struct Author: Codable, FetchableRecord, PersistableRecord {
    static let books = hasMany(Book.self)
    var id: Int64
    var name: String
  }

  struct Book: Codable, FetchableRecord, PersistableRecord {
    static let author = belongsTo(Author.self)
    var id: Int64
    var authorId: Int64
    var title: String
  }

  static func report(_ name: String, _ database: any DatabaseWriter) throws {
    print(name)
    try database.write { db in
      try db.create(table: "author") { t in
        t.primaryKey("id", .integer)
        t.column("name", .text)
      }
      try db.create(table: "book") { t in
        t.primaryKey("id", .integer)
        t.belongsTo("author")
        t.column("title", .text)
      }
    }
    try measure("a record and its commit", 300) { number in
      try database.write { db in try Author(id: Int64(number), name: "author").insert(db) }
    }
    try measure("1,000 records in a transaction, each", 1_000, calls: 1) { _ in
      try database.write { db in
        for id in 0..<1_000 as Range<Int64> {
          try Book(id: id, authorId: id % 300, title: "book number \(id)").insert(db)
        }
      }
    }
    try measure("a record by its key", 1_000) { number in
      _ = try database.read { db in try Book.fetchOne(db, key: number) }
    }
    try measure("1,000 records, each", 1_000 * 20, calls: 20) { _ in
      _ = try database.read { db in try Book.fetchAll(db) }
    }
    try measure("1,000 joined records, each", 1_000 * 20, calls: 20) { _ in
      _ = try database.read { db in try Row.fetchAll(db, Book.including(required: Book.author)) }
    }
  }

  /// Prints the median of five rounds, for one of so many things.
  static func measure(
    _ name: String, _ count: Int, calls: Int? = nil, _ body: (Int) throws -> Void
  ) throws {
    let calls = calls ?? count
    let rounds = name.contains("commit") || name.contains("transaction") ? 1 : 5
    let times = try (0..<rounds).map { _ in
      let begin = ContinuousClock.now
      for number in 0..<calls { try body(number) }
      return begin.duration(to: .now) / .microseconds(count)
    }
    print("  \(name): \(String(format: "%.1f", times.sorted()[rounds / 2])) µs")
  }
}

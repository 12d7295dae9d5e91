import ArgumentParser
import CSQLite
import Foundation
import Quarry

@main
struct LiveView: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the books that sell best, while another process sells them.",
    subcommands: [Sell.self, Watch.self])
}

/// Opens the database of a shop. A pool: reads don't wait for writes.
func openShop(_ path: String) throws -> DatabasePool {
  var configuration = Configuration()
  configuration.busyMode = .timeout(5)  // the other process is writing
  configuration.prepareDatabase { db in
    // The log stays when the last process ends, for programs that may only read the files.
    var isPersistent: CInt = 1
    sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
  }
  return try DatabasePool(path: path, configuration: configuration)
}

struct Sell: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sells books, one after the other, until it is interrupted.")

  @Argument(help: "The database; it is made if it is not there.") var database: String
  @Option(help: "The number of sales.") var count = Int.max
  @Option(help: "The pause between two sales, in milliseconds.") var pause = 300
  @Option(help: "The title of the book; by default, any.") var title: String?

  func validate() throws {
    guard count >= 0, pause >= 0 else { throw ValidationError("Numbers can't be negative.") }
  }

  func run() async throws {
    let shop = try openShop(database)
    try DatabaseMigrator.shop.migrate(shop)
    for number in 0..<count {
      if number > 0 { try await Task.sleep(for: .milliseconds(pause)) }
      let copies = title == nil ? Int.random(in: 1...3) : 1
      try await shop.write { db in try sell(copies, db) }
    }
  }

  private func sell(_ copies: Int, _ db: Database) throws {
    var books = Book.filter { $0.stock >= copies }.order(sql: "RANDOM()")
    if let title { books = books.filter { $0.title == title } }
    guard var book = try books.fetchOne(db) else { throw SoldOut() }
    try book.updateChanges(db) { $0.stock -= copies }
    try Sale(bookId: book.id, copies: copies, date: Date()).insert(db)
  }

  struct SoldOut: Error, CustomStringConvertible {
    var description: String { "There is no such book left." }
  }
}

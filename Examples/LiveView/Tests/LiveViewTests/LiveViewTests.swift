import Foundation
import Quarry
import Testing

@testable import LiveView

/// Processes: one that shows, others that write.
final class LiveViewTests {
  private let directory: URL
  private var database: String { directory.appendingPathComponent("shop.sqlite").path }

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("live-view-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func sell(_ title: String, _ count: Int) throws {
    let arguments = ["sell", database, "--title", title, "--count", "\(count)", "--pause", "0"]
    let run = try Program("LiveView", arguments).end()
    try #require(run.code == 0, "\(run.errors)")
  }

  @Test func `the table follows the sales of other processes`() throws {
    try sell("Walden", 2)
    let watch = try Program("LiveView", ["watch", database, "--rows", "3", "--interval", "10"])
    // The first table has no marks.
    try watch.waitForOutput { $0.hasPrefix("   title ") }
    try watch.waitForOutput { $0.hasPrefix("   Walden ") && $0.contains("   998     2  ") }
    try watch.waitForOutput { $0.hasPrefix("   Dracula ") && $0.contains("  1000     0  ") }
    try sell("Emma", 3)
    // Emma has passed Walden, whose line is the same.
    try watch.waitForOutput { $0.hasPrefix("*  Emma ") && $0.contains("   997     3  ") }
    try watch.waitForOutput { $0.hasPrefix("   Walden ") && $0.contains("   998     2  ") }
    // This process sells, too.
    let shop = try openShop(database)
    try shop.write { db in try Sale(bookId: 12, copies: 7, date: Date()).insert(db) }
    try watch.waitForOutput { $0.hasPrefix("*  Walden ") && $0.contains("   998     9  ") }
    watch.send(SIGINT)
    let end = try watch.end()
    #expect(end.code == 0)
    #expect(end.errors == "")
  }

  @Test func `books are sold until none is left`() throws {
    try sell("Emma", 1)
    let shop = try openShop(database)
    try shop.write { db in _ = try Book.updateAll(db) { $0.stock.set(to: 0) } }
    let run = try Program("LiveView", ["sell", database, "--pause", "0"]).end()
    #expect(run.code == 1)
    #expect(run.errors == "Error: There is no such book left.\n")
  }

  @Test func `the log stays when the database is closed`() throws {
    let shop = try openShop(database)
    try DatabaseMigrator.shop.migrate(shop)
    try shop.close()
    #expect(FileManager.default.fileExists(atPath: database + "-wal"))
  }

  @Test func `mistakes have an exit code and a message`() throws {
    let text = directory.appendingPathComponent("text").path
    try String(repeating: "This is no database. ", count: 100)
      .write(toFile: text, atomically: false, encoding: .utf8)
    let other = directory.appendingPathComponent("other.sqlite").path
    try DatabaseQueue(path: other).write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let missing = directory.appendingPathComponent("missing").path
    let cases: [([String], Int32, String)] = [
      (["watch"], 64, "Missing expected argument '<database>'"),
      (["watch", missing], 64, "\(missing): there is no such file."),
      (["watch", database, "--rows", "0"], 64, "Numbers are 1 or more."),
      (["watch", text], 1, "file is not a database"),
      (["watch", directory.path], 1, directory.path),
      (["watch", other], 1, "no such table: book"),
      (["sell", database, "--count", "-1"], 64, "count"),
    ]
    for (arguments, code, message) in cases {
      let run = try Program("LiveView", arguments).end()
      #expect(run.code == code, "\(run)")
      #expect(run.output == "")
      #expect(run.errors.contains(message), "\(arguments): \(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: missing))
  }
}

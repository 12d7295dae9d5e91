import Foundation
import Quarry
import Testing

@testable import Import

struct ImportTests {
  private struct Stop: Error {}

  private static let isbn = "9781234567890"

  /// Runs a test with a file.
  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("sales-\(UUID().uuidString).csv").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func sales(_ queue: DatabaseQueue) throws -> [Sale] {
    try queue.read { db in try Sale.order(Column.rowID).fetchAll(db) }
  }

  /// A file of 1000 lines, each tenth of which is broken.
  private static let large: String = {
    let lines = (1...1000).map { number in
      "\(isbn),2024-05-0\(number % 9 + 1),\(number % 10 == 0 ? "none" : "\(number)"),9.5\n"
    }
    return "isbn,day,copies,price\n" + lines.joined()
  }()

  @Test func `lines become rows, and those that can't are listed`() throws {
    let text = """
      isbn,day,copies,price\r
      9781234567890,2024-05-01,2,9.5\r
      \r
      "9781234567890",2024-05-02,"1","1""0"
      9781234567890,2024-05-02,1,"10.25
      9781234567890,2024-05-03,1
      978,2024-05-03,1,1
      9781234567890,soon,1,1
      9781234567890,2024-05-04,0,1
      9781234567890,2024-05-04,1,inf
      9781234567890,2024-05-05,3,"8"
      """
    try withFile(text) { path in
      let queue = try DatabaseQueue()
      let importer = Importer(database: queue, path: path)
      let state = try importer.run()
      try #expect(
        sales(queue).map { "\($0.isbn) \($0.day) \($0.copies) \($0.price)" } == [
          "9781234567890 2024-05-01 2 9.5", "9781234567890 2024-05-05 3 8.0",
        ])
      try #expect(
        importer.rejectedLines().map { "\($0.line): \($0.reason)" } == [
          "4: price: '1\"0' is no price", "5: a quote is never closed", "6: 3 fields instead of 4",
          "7: isbn: '978' has not 13 digits", "8: day: 'soon' is no day",
          "9: copies: '0' is no number of copies", "10: price: 'inf' is no price",
        ])
      #expect(state.isComplete)
      #expect(Import.bar(state) == "[##############################] 100 %  2 rows, 7 rejected")
    }
  }

  @Test(arguments: [1, 3, 7])
  func `an import that is stopped goes on where it was`(batches: Int) throws {
    try withFile(Self.large) { path in
      let whole = try DatabaseQueue()
      _ = try Importer(database: whole, path: path).run()
      let queue = try DatabaseQueue()
      let importer = Importer(database: queue, path: path, batchSize: 64)
      var states: [ImportState] = []
      #expect(throws: Stop.self) {
        _ = try importer.run { state in
          states.append(state)
          if states.count == batches { throw Stop() }
        }
      }
      try #expect(queue.read { db in try Sale.fetchCount(db) } == states.last?.imported)
      let state = try importer.run { states.append($0) }
      // No batch was imported twice.
      #expect(states.count == 16)
      #expect((state.imported, state.rejected) == (900, 100))
      try #expect(sales(queue).map(\.copies) == sales(whole).map(\.copies))
      try #expect(importer.rejectedLines().map(\.line) == (1...100).map { $0 * 10 + 1 })
    }
  }

  @Test func `a failing transaction leaves neither rows nor a place`() throws {
    try withFile(Self.large) { path in
      let queue = try DatabaseQueue()
      try DatabaseMigrator.shop.migrate(queue)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER full BEFORE INSERT ON sale WHEN (SELECT COUNT(*) FROM sale) >= 100
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
      }
      let importer = Importer(database: queue, path: path, batchSize: 50)
      #expect(throws: DatabaseError.self) { _ = try importer.run() }
      try #expect(queue.read { db in try Sale.fetchCount(db) } == 90)
      try queue.write { db in try db.execute(sql: "DROP TRIGGER full") }
      try #expect(importer.run().imported == 900)
      try #expect(queue.read { db in try Sale.fetchCount(db) } == 900)
    }
  }

  @Test func `a file that is imported is not imported again`() throws {
    try withFile(Self.large) { path in
      let queue = try DatabaseQueue()
      let importer = Importer(database: queue, path: path)
      _ = try importer.run()
      _ = try importer.run { _ in Issue.record("a batch") }
      try #expect(queue.read { db in try Sale.fetchCount(db) } == 900)
      try Data((Self.large + "x").utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: Importer.Failure.changed(file: path)) { _ = try importer.run() }
    }
  }

  @Test(arguments: ["", "a,b\n", "isbn;day;copies;price\n"])
  func `another header is an error`(text: String) throws {
    try withFile(text) { path in
      let importer = try Importer(database: DatabaseQueue(), path: path)
      #expect(throws: Importer.Failure.wrongHeader(file: path)) { _ = try importer.run() }
    }
  }

  @Test func `a line that is not UTF-8 is rejected`() throws {
    #expect(throws: Sale.Mistake.self) { try CSVLines.fields([0x61, 0xFF][...]) }
  }
}

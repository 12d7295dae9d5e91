import Foundation
import Quarry
import Testing

@testable import Import

/// The importer, with a database in memory.
final class ImporterTests {
  private struct Stop: Error {}

  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("sales-\(UUID().uuidString).csv").path
  private let database: DatabaseQueue
  private let importer: Importer

  init() throws {
    database = try DatabaseQueue()
    importer = Importer(database: database, path: path, batchSize: 64)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// A file of 1000 lines, each tenth of which is broken.
  private func writeLargeFile() throws {
    let lines = (1...1000).map { number in
      "r\(number),9781234567890,\(number % 10 == 0 ? "no" : "\(number)"),9.5\n"
    }
    try write("receipt,isbn,copies,price\n" + lines.joined())
  }

  /// The copies of its sales.
  private static let copies = (1...1000).filter { $0 % 10 > 0 }

  private func sales() throws -> [Sale] {
    try database.read { db in try Sale.order(Column.rowID).fetchAll(db) }
  }

  private func rejectedLines(of file: ImportedFile) throws -> [String] {
    var lines: [String] = []
    try importer.forEachRejectedLine(of: file) { lines.append("\($0.line): \($0.reason)") }
    return lines
  }

  @Test func `lines become sales, and those that can't are listed`() throws {
    try write(
      #"""
      \#u{FEFF}receipt,isbn,copies,price\#r
      a,9781234567890,2,9.5\#r
      \#r
      "b, ""b""","9781234567890","1",10
      c,9781234567890,1,"10.25
      d,9781234567890,1
      ,9781234567890,1,1
      e,978,1,1
      f,9781234567890,0,1
      g,9781234567890,1,1.005
      h,9781234567890,1,-1
      i,9781234567890,1,"1"x
      a,9781234567890,1,1
      j"j,9781234567890,1,1
      k,9781234567890,3,"8.25"
      """#)
    let file = try importer.run()
    let shown = try sales().map { "\($0.receipt)/\($0.isbn)/\($0.copies)/\($0.cents)" }
    #expect(
      shown == [
        "a/9781234567890/2/950", "b, \"b\"/9781234567890/1/1000", "k/9781234567890/3/825",
      ])
    let rejected = try rejectedLines(of: file)
    #expect(
      rejected == [
        "5: a quote is never closed", "6: 3 fields instead of 4", "7: receipt: '' is empty",
        "8: isbn: '978' is no number of 13 digits", "9: copies: '0' is no number of copies",
        "10: price: '1.005' is no price", "11: price: '-1' is no price",
        "12: text after a closing quote", "13: receipt: 'a' is there already",
        "14: a quote inside of a field",
      ])
    #expect(file.isComplete)
    #expect((file.importedCount, file.rejectedCount) == (3, 10))
  }

  @Test func `a line that is not UTF-8 is rejected`() throws {
    var data = Data("receipt,isbn,copies,price\na".utf8)
    data += [0xFF] + Data(",9781234567890,1,1\nb,9781234567890,1,1\n".utf8)
    try data.write(to: URL(fileURLWithPath: path))
    let file = try importer.run()
    let rejected = try rejectedLines(of: file)
    #expect(rejected == ["2: the text is not UTF-8"])
    #expect(file.importedCount == 1)
  }

  @Test(arguments: [1, 3, 7])
  func `an import that is stopped goes on where it was`(batchCount: Int) throws {
    try writeLargeFile()
    var files: [ImportedFile] = []
    #expect(throws: Stop.self) {
      _ = try importer.run { file in
        files.append(file)
        if files.count == batchCount { throw Stop() }
      }
    }
    let count = try sales().count
    #expect(count == files.last?.importedCount)
    let file = try importer.run { files.append($0) }
    // No batch was imported twice.
    #expect(files.count == 16)
    #expect((file.importedCount, file.rejectedCount) == (900, 100))
    let copies = try sales().map(\.copies)
    #expect(copies == Self.copies)
    let rejected = try rejectedLines(of: file)
    #expect(rejected.count == 100)
    #expect(rejected.first == "11: copies: 'no' is no number of copies")
    #expect(rejected.last == "1001: copies: 'no' is no number of copies")
  }

  @Test func `a disk that is full leaves whole batches and their place`() throws {
    try writeLargeFile()
    try DatabaseMigrator.shop.migrate(database)
    try setMaximumPageCount(20)
    let error = #expect(throws: DatabaseError.self) { _ = try importer.run() }
    #expect(error?.resultCode == .SQLITE_FULL)
    let file = try database.read { db in try ImportedFile.fetchOne(db) }
    let count = try sales().count
    #expect(count == file?.importedCount)
    #expect(0 < count && count < 900)
    try setMaximumPageCount(10_000)
    let importedCount = try importer.run().importedCount
    #expect(importedCount == 900)
    let copies = try sales().map(\.copies)
    #expect(copies == Self.copies)
  }

  private func setMaximumPageCount(_ count: Int) throws {
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA max_page_count = \(count)")
    }
  }

  @Test func `a file is imported once, and again when it was forgotten`() throws {
    try writeLargeFile()
    _ = try importer.run()
    _ = try importer.run { _ in Issue.record("a batch") }
    try write("receipt,isbn,copies,price\nr1,9781234567890,7,1\n")
    #expect(throws: Importer.Failure.changed(file: path)) { _ = try importer.run() }
    try importer.forget()
    let file = try importer.run()
    #expect((file.importedCount, file.rejectedCount) == (1, 0))
    let copies = try sales().map(\.copies)
    #expect(copies == [7])
    let rejected = try rejectedLines(of: file)
    #expect(rejected == [])
  }

  @Test func `a file that is cut off while it is imported is an error`() throws {
    let lines = (1...20_000).map { "r\($0),9781234567890,1,9.5\n" }
    try write("receipt,isbn,copies,price\n" + lines.joined())
    #expect(throws: Importer.Failure.changed(file: path)) {
      _ = try importer.run { _ in _ = truncate(path, 1000) }
    }
  }

  @Test(arguments: ["", "a,b\n", "receipt;isbn;copies;price\n", "\u{0}\"\n"])
  func `another header is an error`(text: String) throws {
    try write(text)
    #expect(throws: Importer.Failure.wrongColumns(file: path)) { _ = try importer.run() }
  }
}

import Foundation
import Quarry
import QuarryTestSupport
import Testing

private struct Entry: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var number: UInt64?
  var date: Date?
}

@Suite("Values that can't be stored")
struct UnstorableValueTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var value: any DatabaseValueConvertible & Sendable
    var text: String
    var testDescription: String { text }
  }

  private static let examples = [
    Example(
      value: UInt64.max,
      text: "could not convert 18446744073709551615 to an Int64 that can be stored in the database"),
    Example(value: UInt(Int64.max) + 1, text: "could not convert 9223372036854775808"),
    Example(
      value: Date(timeIntervalSince1970: .nan),
      text: "could not store the date at nan seconds since 1970"),
    Example(
      value: Date(timeIntervalSince1970: .infinity),
      text: "could not store the date at inf seconds since 1970"),
    Example(
      value: Date(timeIntervalSince1970: 1e18),
      text: "could not store the date at 1e+18 seconds since 1970"),
    Example(
      value: Date(timeIntervalSince1970: 1_700_000_000_000),
      text: "could not store the date at 1700000000000.0 seconds since 1970: its year is not in "
        + "0...9999. `databaseDateEncodingStrategy` stores it as a number"),
  ]

  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY, number, date)")
      try body(db)
    }
  }

  @Test(arguments: examples)
  func `Records are not written: the column is reported`(example: Example) throws {
    try inDatabase { db in
      let number = example.value as? UInt64 ?? (example.value as? UInt).map { UInt64($0) }
      let entry = Entry(id: 1, number: number, date: example.value as? Date)
      #expect(entry.number != nil || entry.date != nil)
      let column = entry.number == nil ? "date" : "number"
      let writes: [(String, () throws -> Any?)] = [
        ("insert", { try entry.insert(db) }), ("save", { try entry.save(db) }),
        ("insertAndFetch", { try entry.insertAndFetch(db) }),
        ("upsert", { try entry.upsert(db) }), ("upsertAndFetch", { try entry.upsertAndFetch(db) }),
      ]
      for (name, write) in writes {
        let error = errorText(write) ?? "no error"
        #expect(error.contains(example.text), "\(name): \(error)")
        #expect(error.contains("column: \"\(column)\""), "\(name): \(error)")
        #expect(error.lowercased().contains("entry"), "\(name): \(error)")
      }
      try Entry.deleteAll(db)
      try Entry(id: 2).insert(db)
      let updated = Entry(id: 2, number: entry.number, date: entry.date)
      let updates: [(String, () throws -> Any?)] = [
        ("update", { try updated.update(db) }), ("save", { try updated.save(db) }),
        ("updateAndFetch", { try updated.updateAndFetch(db) }),
        ("updateChanges", { try updated.updateChanges(db, from: Entry(id: 2)) }),
        ("columns", { try updated.update(db, columns: [column]) }),
      ]
      for (name, update) in updates {
        let error = errorText(update) ?? "no error"
        #expect(error.contains(example.text), "\(name): \(error)")
        #expect(error.lowercased().contains("entry"), "\(name): \(error)")
      }
    }
  }

  @Test(arguments: examples)
  func `Arguments are refused: nothing is stored, and nothing is compared`(example: Example) throws
  {
    try inDatabase { db in
      try db.execute(sql: "INSERT INTO entry (id) VALUES (1)")
      let number = Column("number")
      let value = example.value
      let uses: [() throws -> Any?] = [
        { try db.execute(sql: "INSERT INTO entry (number) VALUES (?)", arguments: [value]) },
        { try db.execute(sql: "UPDATE entry SET number = :n", arguments: ["n": value]) },
        { try db.makeStatement(sql: "UPDATE entry SET number = ?").execute(arguments: [value]) },
        { try db.execute(literal: "UPDATE entry SET number = \(value)") },
        { try Entry.updateAll(db, number.set(to: value)) },
        { try Row.fetchAll(db, sql: "SELECT ?", arguments: [value]) },
        { try Entry.filter(number == value).fetchAll(db) },
        { try Entry.filter(number > value).fetchCount(db) },
        { try Entry.filter(sql: "number = ?", arguments: [value]).fetchOne(db) },
      ]
      for use in uses {
        let error = try #require(errorText(use))
        #expect(error.contains(example.text), "\(error)")
        #expect(error.contains("entry") || error.contains("SELECT ?"), "\(error)")
      }
      #expect(try Row.fetchAll(db, sql: "SELECT number FROM entry") == [["number": nil]])
    }
  }

  @Test func `JSON that can't be made is reported with its path`() throws {
    struct Reading: Codable, PersistableRecord {
      static let databaseTableName = "entry"
      var id: Int64
      var number: [Double]
    }
    try inDatabase { db in
      let error = try #require(errorText { try Reading(id: 1, number: [1, .nan]).insert(db) })
      #expect(error.contains("number"))
      #expect(error.contains("nan"))
      #expect(try Entry.fetchCount(db) == 0)
    }
  }

  @Test func `Infinite numbers are stored, and NaN is NULL, as SQLite does`() throws {
    try inDatabase { db in
      let values = [Double.infinity, -.infinity, .nan]
      for value in values {
        try db.execute(sql: "INSERT INTO entry (number) VALUES (?)", arguments: [value])
      }
      let stored = try Double?.fetchAll(db, sql: "SELECT number FROM entry ORDER BY id")
      #expect(stored == [.infinity, -.infinity, nil])
    }
  }
}

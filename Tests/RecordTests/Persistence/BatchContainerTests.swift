import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

// The records of a batch write into the same memory, one after the other. A record may do with its
// container what it wants, and must not find, nor change, the columns of the others.
@Suite(.onQueueAndPool)
struct BatchContainerTests {
  @Test func `Containers that records keep have their own columns`() throws {
    let kept = KeptContainers()
    try inBookshop { db, _ throws in
      let records = (1...300).map { index in
        BatchedAuthor(name: "Author \(index)") {
          $0["country"] = "F"
          kept.all.append($0)
        }
      }
      try BatchedAuthor.insert(db, contentsOf: records)
      #expect(try newNames(db) == (1...300).map { "Author \($0)" })
    }
    #expect(kept.all.map(\.count) == Array(repeating: 2, count: 300))
    #expect(kept.all.map { $0["name"] } == (1...300).map { "Author \($0)" })
    kept.all[7]["name"] = "changed"
    kept.all[7]["birthYear"] = 1900
    #expect(kept.all.map(\.count).filter { $0 != 2 } == [3])
    #expect(kept.all[6]["name"] == "Author 7")
    #expect(kept.all[8]["name"] == "Author 9")
  }

  @Test func `A copy that a record changes is another container`() throws {
    let kept = KeptContainers()
    try inBookshop { db, _ throws in
      let records = (1...100).map { index in
        BatchedAuthor(name: "\(index)") { container in
          var copy = container
          copy["name"] = "copy"
          copy["birthYear"] = 1
          container["country"] = "F"
          kept.all.append(copy)
        }
      }
      try BatchedAuthor.insert(db, contentsOf: records)
      #expect(try newNames(db) == (1...100).map { "\($0)" })
      let countries = try String.fetchAll(db, sql: "SELECT country FROM author WHERE id > 3")
      #expect(countries == Array(repeating: "F", count: 100))
    }
    #expect(kept.all.allSatisfy { $0.map(\.0) == ["name", "birthYear"] })
  }

  @Test func `A record may take the container of another one`() throws {
    let kept = KeptContainers()
    try inBookshop { db, _ throws in
      // The third record keeps its container, and all later ones put it in the place of theirs,
      // every other one after it has kept its own.
      let records = (1...90).map { index in
        BatchedAuthor(name: "\(index)") { container in
          if index == 3 || index > 3 && index % 2 == 0 { kept.all.append(container) }
          if index > 3 { container = kept.all[0] }
        }
      }
      try BatchedAuthor.insert(db, contentsOf: records)
      let names: [String] = ["1", "2"] + Array(repeating: "3", count: 88)
      #expect(try newNames(db) == names)
    }
    let keptNames: [String] = ["3"] + stride(from: 4, through: 90, by: 2).map { "\($0)" }
    #expect(kept.all.map { $0["name"] } == keptNames)
  }

  @Test func `Records may set other columns, more, fewer, and in another order`() throws {
    try inBookshop { db, recorder throws in
      var records = (1...80).map { BatchedAuthor(name: "\($0)") { $0["country"] = "F" } }
      records[70] = BatchedAuthor(name: "71") {
        $0["birthYear"] = 1900
        $0["country"] = "G"
      }
      records[71] = BatchedAuthor(name: "72") { _ in }
      records[72] = BatchedAuthor(name: "x") {
        $0["country"] = "H"
        $0["NAME"] = "73"
      }
      try BatchedAuthor.insert(db, contentsOf: records)
      let statements = recorder.takeStatements().filter { $0.hasPrefix("INSERT") }
      let both = #"INSERT INTO "author" ("name", "country") VALUES "#
      #expect(
        statements.map { $0.replacing(" RETURNING \"id\"", with: "") } == [
          both + rows(64), both + rows(4), both + rows(2),
          #"INSERT INTO "author" ("name", "birthYear", "country") VALUES (?,?,?)"#,
          #"INSERT INTO "author" ("name") VALUES (?)"#,
          both + rows(8),
        ])
      #expect(try newNames(db) == (1...80).map { "\($0)" })
      let countries = try String?.fetchAll(db, sql: "SELECT country FROM author WHERE id > 72")
      #expect(countries == ["F", "G", nil, "H", "F", "F", "F", "F", "F", "F", "F"])
    }
  }

  @Test func `An error of a record leaves nothing`() throws {
    struct Refusal: Error {}
    try inBookshop { db, _ throws in
      var records = (1...400).map { BatchedAuthor(name: "\($0)") { _ in } }
      records[350] = BatchedAuthor(name: "351") { _ in throw Refusal() }
      #expect(throws: Refusal.self) { try BatchedAuthor.insert(db, contentsOf: records) }
      records[350] = BatchedAuthor(name: "351") { $0["country"] = UInt64.max }
      let error = errorText { try BatchedAuthor.insert(db, contentsOf: records) }
      #expect(error?.contains(#"column: "country", record: BatchedAuthor"#) == true)
      #expect(try newNames(db) == [])
      records[350] = BatchedAuthor(name: "351") { _ in }
      try BatchedAuthor.insert(db, contentsOf: records)
      #expect(try newNames(db) == (1...400).map { "\($0)" })
    }
  }

  @Test func `Large values go with small ones`() throws {
    let names = (1...300).map { String(repeating: "é\($0)", count: $0 % 7 == 0 ? 5_000 : $0 % 3) }
    try inBookshop { db, _ throws in
      try BatchedAuthor.insert(
        db, contentsOf: names.map { name in BatchedAuthor(name: name) { _ in } })
      #expect(try newNames(db) == names)
    }
  }

  @Test func `Columns of all types are those of single insertions`() throws {
    try inEmptyDatabase { db in
      try db.execute(sql: "CREATE TABLE mixed (id INTEGER PRIMARY KEY, a, b, c, d, e, f, g, h)")
      let records = (1...200).map { MixedRecord(number: $0) }
      for record in records { try record.insert(db) }
      let single = try Row.fetchAll(db, sql: "SELECT * FROM mixed ORDER BY id")
      try db.execute(sql: "DELETE FROM mixed")
      try MixedRecord.insert(db, contentsOf: records)
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM mixed ORDER BY id") == single)
      #expect(single.count == 200)
      let types = try Row.fetchOne(
        db,
        sql: """
          SELECT typeof(id), typeof(a), typeof(b), typeof(c), typeof(d), typeof(e), typeof(f),
            typeof(g), typeof(h) FROM mixed WHERE id = 1
          """)
      #expect(
        types?.databaseValues.map(\.description)
          == [
            "integer", "text", "null", "integer", "real", "integer", "blob", "text", "integer",
          ].map { "\"\($0)\"" })
    }
  }

  @Test func `Identifiers are known in some statements only`() throws {
    try inBookshop { db, recorder throws in
      // All of 256 records and of 64 have identifiers, some of 16, none of 4.
      let ids: [Int64?] = (1_001...1_340).map { Int64($0) }
      var drafts = ids.enumerated().map { index, id in
        Draft(id: index < 330 ? id : nil, name: "\(index)")
      }
      try Draft.insert(db, contentsOf: &drafts)
      #expect(drafts.map(\.id) == ids)
      let returning = recorder.takeStatements().filter { $0.hasPrefix("INSERT") }
        .map { $0.hasSuffix(#"RETURNING "id""#) }
      #expect(returning == [false, false, true, true])
      #expect(try Draft.fetchAll(db, keys: drafts.map(\.id)) == drafts)
    }
  }

  @Test func `A kept container may be used by another thread`() throws {
    let kept = KeptContainers()
    try inBookshop { db, _ throws in
      let records = (1...300).map { index in
        BatchedAuthor(name: "\(index)") { container in
          if index % 50 != 0 { return }
          let copy = container
          DispatchQueue.global().async(group: kept.threads) {
            var container = copy
            for column in 1...100 { container["column\(column)"] = "\(index)" }
            #expect(container.count == 101 && container["name"] == "\(index)")
          }
        }
      }
      try BatchedAuthor.insert(db, contentsOf: records)
      #expect(try newNames(db) == (1...300).map { "\($0)" })
    }
    kept.threads.wait()
  }

  private func newNames(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM author WHERE id > 3 ORDER BY id")
  }

  private func rows(_ count: Int) -> String {
    Array(repeating: "(?,?)", count: count).joined(separator: ",")
  }
}

private final class KeptContainers: @unchecked Sendable {
  var all: [PersistenceContainer] = []
  let threads = DispatchGroup()
}

/// Sets the name, and the columns of a closure.
private struct BatchedAuthor: PersistableRecord {
  static let databaseTableName = "author"
  var name: String
  var setMore: (inout PersistenceContainer) throws -> Void

  func encode(to container: inout PersistenceContainer) throws {
    container["name"] = name
    try setMore(&container)
  }
}

/// A column per family of types: those that have a way of their own into containers, and others.
private struct MixedRecord: PersistableRecord {
  static let databaseTableName = "mixed"
  var number: Int

  func encode(to container: inout PersistenceContainer) {
    container["id"] = Int64(number)
    container["a"] = "text \(number)"
    container["b"] = number % 2 == 0 ? "even" : nil
    container["c"] = number
    container[Column("d")] = Double(number) / 3
    container["e"] = number % 3 == 0
    container["f"] = Data([UInt8(number)])
    container["g"] = Date(timeIntervalSince1970: Double(number))
    container["h"] = UInt8(number)
  }
}

import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

// A record may keep its encoder, or a container of it, or a copy of its persistence container. Used
// later, or by another thread, it does not write into other records.
struct EscapedEncoderTests {
  private final class Kept {
    var writings: [() throws -> Void] = []
  }

  /// Keeps all that it gets to encode itself, and writes through what other records have kept.
  private struct Keeping: Encodable, PersistableRecord {
    static let databaseTableName = "author"
    var name: String
    let kept: Kept

    enum CodingKeys: CodingKey { case name, country }

    func encode(to encoder: any Encoder) throws {
      for write in kept.writings { try? write() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      let single = encoder.singleValueContainer()
      for write in kept.writings { try? write() }
      try container.encode(name, forKey: .name)
      for write in kept.writings { try? write() }
      var copy = container
      let other = Draft(id: 1, name: "other", country: "XX")
      kept.writings += [
        { try copy.encode("XX", forKey: .country) },
        { try copy.encode("overwritten", forKey: .name) },
        { try copy.encode(Date(), forKey: .country) },
        { try copy.encode(["XX"], forKey: .country) },
        {
          var container = encoder.container(keyedBy: CodingKeys.self)
          try container.encode("XX", forKey: .country)
        },
        {
          var single = single
          try single.encode(other)
        },
      ]
    }
  }

  @Test func `What a record keeps of its encoding writes nowhere later`() throws {
    try inBookshop { db, _ throws in
      let kept = Kept()
      for name in ["a", "b", "c"] { try Keeping(name: name, kept: kept).insert(db) }
      try Keeping.insert(db, contentsOf: ["d", "e", "f"].map { Keeping(name: $0, kept: kept) })
      for write in kept.writings { try? write() }
      let rows = try Row.fetchAll(db, sql: "SELECT name, country FROM author WHERE id > 3")
      #expect(rows == ["a", "b", "c", "d", "e", "f"].map { ["name": $0, "country": nil] })
    }
  }

  @Test func `What is kept writes nowhere after the end of the connection`() throws {
    let kept = Kept()
    try inBookshop { db, _ throws in
      for name in ["a", "b"] { try Keeping(name: name, kept: kept).insert(db) }
    }
    for write in kept.writings { try? write() }
    #expect(kept.writings.count == 12)
  }

  /// Hands a copy of its container to another thread, which encodes another record into it.
  private struct Handing: PersistableRecord {
    static let databaseTableName = "author"
    var draft: Draft
    let threads: DispatchGroup
    let replaces: Bool

    func encode(to container: inout PersistenceContainer) throws {
      let copy = container
      let draft = draft
      DispatchQueue.global().async(group: threads) {
        for _ in 1...20 {
          var container = copy
          do {
            try Draft(id: draft.id, name: "copy", country: "XX").encode(to: &container)
          } catch {
            Issue.record(error)
          }
          #expect(container.map(\.0) == ["id", "name", "country"])
          #expect(container["name"] == "copy")
        }
      }
      // A container that is not the one of the connection is filled as well.
      if replaces { container = try PersistenceContainer(draft) }
      try draft.encode(to: &container)
      try draft.encode(to: &container)
    }
  }

  @Test(arguments: [false, true])
  func `Records are encoded by other threads into copies of a container`(_ replaces: Bool) throws {
    let threads = DispatchGroup()
    try inBookshop { db, _ throws in
      let drafts = (1...200).map { Draft(id: 100 + Int64($0), name: "\($0)") }
      let records = drafts.map { Handing(draft: $0, threads: threads, replaces: replaces) }
      for record in records.prefix(50) { try record.insert(db) }
      try Handing.insert(db, contentsOf: records.dropFirst(50))
      #expect(try Draft.fetchAll(db, keys: drafts.map(\.id)) == drafts)
    }
    threads.wait()
  }

  /// Uses the database while it is encoded.
  private struct Busy: PersistableRecord {
    static let databaseTableName = "author"
    var draft: Draft
    let db: Database

    func encode(to container: inout PersistenceContainer) throws {
      guard let id = draft.id else { return try draft.encode(to: &container) }
      var nested = Busy(draft: Draft(name: "nested"), db: db)
      switch id % 5 {
      case 0: try nested.insert(db)
      case 1: try Busy.insert(db, contentsOf: [nested, nested])
      case 2: try db.execute(sql: "CREATE TABLE \"made\(id)\" (a)")
      case 3: db.releaseMemory()
      default:
        nested.draft.id = 1
        try nested.draft.update(db, columns: ["country"])
        container["name"] = "before"
        _ = try Draft.fetchAll(db)
      }
      try draft.encode(to: &container)
    }
  }

  @Test func `Records use the database while they are encoded`() throws {
    try inBookshop { db, _ throws in
      let records = (100..<160).reversed().map { (id: Int64) in
        Busy(draft: Draft(id: id, name: "\(id)"), db: db)
      }
      try Busy.insert(db, contentsOf: records.prefix(30))
      for record in records.dropFirst(30) { try record.insert(db) }
      let names = try String.fetchAll(
        db, sql: "SELECT name FROM author WHERE name NOT LIKE 'nested%' AND id > 3 ORDER BY id")
      #expect(names == (100..<160).map { "\($0)" })
      let nested = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM author WHERE name LIKE 'nested%'")
      #expect(nested == 12 + 24)
    }
  }

  /// Inserts and fetches records of its own type while it is encoded and decoded.
  private struct Recursive: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "author"
    nonisolated(unsafe) static var db: Database?
    struct Refusal: Error {}

    var id: Int64
    var name: String
    var fetched: String?

    enum CodingKeys: CodingKey { case id, name }

    init(id: Int64, name: String) {
      self.id = id
      self.name = name
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int64.self, forKey: .id)
      if id > 1, let db = Self.db { fetched = try Recursive.fetchOne(db, key: id - 1)?.name }
      name = try container.decode(String.self, forKey: .name)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      if id < 1_000, id % 3 == 0 {
        try Recursive(id: id + 1_000, name: "\(id + 1_000)").insert(Self.db!)
        try Recursive.insert(
          Self.db!, contentsOf: [Recursive(id: id + 2_000, name: "\(id + 2_000)")])
      }
      if name == "refused" { throw Refusal() }
      try container.encode(name, forKey: .name)
    }
  }

  @Test func `A type inserts and fetches its own while it is encoded and decoded`() throws {
    try inBookshop { db, _ throws in
      Recursive.db = db
      defer { Recursive.db = nil }
      try db.execute(sql: "CREATE TEMP TABLE author (id INTEGER PRIMARY KEY, name TEXT)")
      let records = (1...20).map { Recursive(id: $0, name: "\($0)") }
      try Recursive.insert(db, contentsOf: records.prefix(10))
      #expect(throws: Recursive.Refusal.self) { try Recursive(id: 33, name: "refused").insert(db) }
      #expect(throws: Recursive.Refusal.self) {
        try Recursive.insert(
          db, contentsOf: [Recursive(id: 50, name: "50"), Recursive(id: 51, name: "refused")])
      }
      for record in records.dropFirst(10) { try record.insert(db) }
      let fetched = try Recursive.order(Column("id")).fetchAll(db)
      // The failed insertion of one record keeps what the record has inserted before.
      let ids: [Int64] =
        Array(1...20) + [3, 6, 9, 12, 15, 18, 33].map { 1_000 + $0 }
        + [3, 6, 9, 12, 15, 18, 33].map { 2_000 + $0 }
      #expect(fetched.map(\.id) == ids)
      #expect(fetched.allSatisfy { $0.name == "\($0.id)" })
      #expect(fetched.prefix(20).map(\.fetched) == [nil] + (1...19).map { "\($0)" })
    }
  }
}

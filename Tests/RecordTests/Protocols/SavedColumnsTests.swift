import QuarryTestSupport
import Testing

@testable import Quarry

/// The changing part of a record.
private final class Manuscript {
  var name = "draft"
  var encodingCount = 0
}

private protocol ManuscriptRecord: PersistableRecord {
  var id: Int64? { get }
  var manuscript: Manuscript { get }
  init(id: Int64?, manuscript: Manuscript)
}

extension ManuscriptRecord {
  static var databaseTableName: String { "author" }

  func encode(to container: inout PersistenceContainer) {
    manuscript.encodingCount += 1
    container["id"] = id
    container["name"] = manuscript.name
  }
}

private struct Plain: ManuscriptRecord {
  var id: Int64?
  let manuscript: Manuscript
}

private struct ChangedBeforeUpdate: ManuscriptRecord {
  var id: Int64?
  let manuscript: Manuscript

  func willUpdate(_ db: Database, columns: Set<String>) throws { manuscript.name = "final" }
}

private struct ChangedAroundUpdate: ManuscriptRecord {
  var id: Int64?
  let manuscript: Manuscript

  func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    manuscript.name = "final"
    _ = try update()
  }
}

private struct ChangedAfterUpdate: ManuscriptRecord {
  var id: Int64?
  let manuscript: Manuscript

  func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    defer { manuscript.name = "final" }
    _ = try update()
  }
}

private struct ChangedBeforeInsertion: ManuscriptRecord {
  var id: Int64?
  let manuscript: Manuscript

  func willInsert(_ db: Database) throws { manuscript.name = "final" }
}

private struct ChangedAroundInsertion: ManuscriptRecord {
  var id: Int64?
  let manuscript: Manuscript

  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    manuscript.name = "final"
    _ = try insert()
  }
}

@Suite(.onQueueAndPool)
struct SavedColumnsTests {
  /// Saves a record twice, the second time without what the first one may have left. Returns the
  /// name that was written.
  private func savedName<Record: ManuscriptRecord>(
    _ type: Record.Type, id: Int64?, encodingCount: Int, in db: Database
  ) throws -> String? {
    try Record(id: id, manuscript: Manuscript()).save(db)
    if id == 12 { try db.execute(sql: "DELETE FROM author WHERE id = 12") }
    let manuscript = Manuscript()
    try Record(id: id, manuscript: manuscript).save(db)
    #expect(manuscript.encodingCount == encodingCount)
    return try String.fetchOne(
      db, sql: "SELECT name FROM author WHERE id = ?", arguments: [id ?? db.lastInsertedRowID])
  }

  @Test(arguments: [1, 12, nil] as [Int64?])
  func `A record without callbacks is encoded once`(id: Int64?) throws {
    try inBookshop { db, _ throws in
      #expect(try savedName(Plain.self, id: id, encodingCount: 1, in: db) == "draft")
    }
  }

  @Test func `A save updates what its callbacks have changed`() throws {
    try inBookshop { db, _ throws in
      #expect(try savedName(ChangedBeforeUpdate.self, id: 1, encodingCount: 2, in: db) == "final")
      #expect(try savedName(ChangedAroundUpdate.self, id: 2, encodingCount: 2, in: db) == "final")
      #expect(try savedName(ChangedAfterUpdate.self, id: 3, encodingCount: 2, in: db) == "draft")
    }
  }

  @Test func `A save inserts what its callbacks have changed`() throws {
    try inBookshop { db, _ throws in
      func name<Record: ManuscriptRecord>(_ type: Record.Type, encodingCount: Int) throws -> String?
      {
        try savedName(type, id: 12, encodingCount: encodingCount, in: db)
      }
      #expect(try name(ChangedBeforeUpdate.self, encodingCount: 3) == "final")
      #expect(try name(ChangedAroundUpdate.self, encodingCount: 3) == "final")
      #expect(try name(ChangedAfterUpdate.self, encodingCount: 3) == "final")
      #expect(try name(ChangedBeforeInsertion.self, encodingCount: 2) == "final")
      #expect(try name(ChangedAroundInsertion.self, encodingCount: 2) == "final")
    }
  }

  @Test func `A callback around an update in vain gets the error of the missing row`() throws {
    struct Curious: Codable, PersistableRecord {
      static let databaseTableName = "author"
      var id: Int64
      var name: String

      func aroundUpdate(
        _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
      ) throws {
        do {
          _ = try update()
        } catch let error as RecordError {
          #expect("\(error)" == "Key not found in table author: [id:12]")
          throw error
        }
      }
    }
    try inBookshop { db, _ throws in
      try Curious(id: 12, name: "new").save(db)
      #expect(try String.fetchOne(db, sql: "SELECT name FROM author WHERE id = 12") == "new")
    }
  }
}

import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Records of full-text tables, and what the schema says of them.
@Suite(.needs(.fullText))
struct FullTextRecordTests {
  private struct Page: Codable, Hashable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "doc"
    static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }
    var rowid: Int64?
    var title: String?
    var body: String?

    mutating func didInsert(_ inserted: InsertionSuccess) { rowid = inserted.rowID }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `Records are written by rowid`(module: String) throws {
    try withDocuments(using: module) { db throws in
      #expect(try db.primaryKey("doc").columns == ["rowid"])
      var page = Page(title: "Lake", body: "A lake")
      let statements = try db.writingStatements { try page.insert(db) }
      #expect(statements == [#"INSERT INTO "doc" ("rowid", "title", "body") VALUES (?,?,?)"#])
      #expect(page.rowid == 4)
      let other = try Page(title: "Hill").insertAndFetch(db)
      #expect(other.rowid == 5)
      #expect(try Page.find(db, key: 4) == page)
      page.title = "Lakes"
      #expect(try page.updateAndFetch(db) == page)
      #expect(try page.updateChanges(db) { $0.body = "Lakes" })
      #expect(try page.exists(db))
      var copy = page
      #expect(databaseError { try copy.insert(db) }?.text == "19 constraint failed")
      copy.title = "Rocks"
      try copy.insert(db, onConflict: .replace)
      #expect(
        try Page.matching(FTS5Pattern(matchingAllTokensIn: "lakes")).fetchAll(db).map(\.title) == [
          "Rocks"
        ])
      copy.body = nil
      try copy.save(db)
      #expect(try Page.matching(FTS5Pattern(matchingAllTokensIn: "lakes")).fetchCount(db) == 0)
      #expect(
        databaseError { try copy.upsert(db) }?.message
          == #"UPSERT not implemented for virtual table "doc""#)
      #expect(try copy.delete(db))
      #expect(try Page.deleteOne(db, key: 5))
      #expect(try Page.fetchCount(db) == 3)
    }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `Values keep their storage`(module: String) throws {
    try withDocuments(using: module) { db throws in
      try db.execute(
        sql: "INSERT INTO doc (rowid, title, body) VALUES (8, 1984, ?), (9, NULL, 1.5)",
        arguments: [Data("blob".utf8)])
      let row = try #require(
        try Row.fetchOne(db, sql: "SELECT title, body FROM doc WHERE rowid = 8"))
      #expect(row["title"] as DatabaseValue == 1984.databaseValue)
      #expect(row["body"] as DatabaseValue == Data("blob".utf8).databaseValue)
      let found = "SELECT rowid FROM doc WHERE doc MATCH ?"
      #expect(try Int.fetchAll(db, sql: found, arguments: ["1984"]) == [8])
      #expect(try Int.fetchAll(db, sql: found, arguments: ["blob"]) == [8])
      #expect(
        try Row.fetchOne(db, sql: "SELECT title, body FROM doc WHERE rowid = 9") == [
          "title": nil, "body": 1.5,
        ])
    }
  }

  @Test(
    arguments: [
      ("fts3", ["content", "segdir", "segments"]),
      ("fts4", ["content", "docsize", "segdir", "segments", "stat"]),
      ("fts5", ["config", "content", "data", "docsize", "idx"]),
    ])
  func `The schema lists the declared columns, and the shadow tables`(
    module: String, shadows: [String]
  ) throws {
    try withDocuments(using: module) { db throws in
      #expect(try db.tableExists("doc"))
      #expect(try db.columns(in: "doc").map(\.name) == ["title", "body"])
      #expect(try db.columns(in: "doc").allSatisfy { $0.type.isEmpty })
      #expect(try db.indexes(on: "doc").isEmpty)
      #expect(try db.foreignKeys(on: "doc").isEmpty)
      let tables = try String.fetchAll(
        db,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'doc' ORDER BY name")
      #expect(tables == shadows.map { "doc_\($0)" })
      for table in tables { #expect(try db.tableExists(table)) }
    }
  }

  @Test func `Insertions that are cancelled leave the connection usable`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.create(virtualTable: "doc", using: FTS5()) { $0.column("title") }
      db.add(
        function: DatabaseFunction("fail", argumentCount: 0) { _ in
          throw DatabaseError(resultCode: .SQLITE_INTERRUPT)
        })
    }
    #expect(throws: (any Error).self) {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO doc VALUES ('sea')")
        try db.execute(sql: "INSERT INTO doc SELECT fail()")
      }
    }
    try queue.write { db throws in
      #expect(try Table("doc").fetchCount(db) == 0)
      try db.execute(sql: "INSERT INTO doc VALUES ('sea')")
      #expect(try db.documentsMatching("sea") == [1])
    }
  }
}

import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// An empty blob is neither NULL nor an empty text, wherever it is stored.
@Suite(.onQueueAndPool)
struct EmptyBlobTests {
  private struct Cover: Codable, FetchableRecord, PersistableRecord {
    var id: Int?
    var image: Data?
  }

  /// By hand, and with a text before the blob.
  private struct HandCover: PersistableRecord {
    static let databaseTableName = "cover"
    var image: Data
    func encode(to container: inout PersistenceContainer) {
      container["note"] = "a note"
      container["image"] = image
    }
  }

  private static let empty: [Data] = [
    Data(), Data([1])[1...], Data([1, 2]).prefix(0), Data(referencing: NSData()),
    Data("a".utf8).dropFirst(),
  ]

  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try inEmptyDatabase { db in
      try db.execute(sql: "CREATE TABLE cover (id INTEGER PRIMARY KEY, image, note)")
      try body(db)
      let kinds = try String.fetchSet(db, sql: "SELECT typeof(image) || quote(image) FROM cover")
      #expect(kinds == ["blobX''"])
    }
  }

  @Test func `arguments`() throws {
    try inDatabase { db in
      for data in Self.empty {
        try db.execute(sql: "INSERT INTO cover (image) VALUES (?)", arguments: [data])
        try db.execute(sql: "INSERT INTO cover (image) VALUES (:i)", arguments: ["i": data])
        try db.execute(literal: "INSERT INTO cover (image) VALUES (\(data))")
        try db.execute(
          sql: "INSERT INTO cover (image) VALUES (?)", arguments: [data.databaseValue])
        let statement = try db.makeStatement(sql: "INSERT INTO cover (image) VALUES (?)")
        #expect(data.bind(to: statement.sqliteStatement, at: 1) == 0)
        statement.setUncheckedArguments([data])
        try statement.execute()
      }
    }
  }

  @Test func `records, and many records`() throws {
    try inDatabase { db in
      for data in Self.empty {
        try Cover(id: nil, image: data).insert(db)
        try HandCover(image: data).insert(db)
      }
      try Cover.insert(db, contentsOf: (0..<100).map { _ in Cover(id: nil, image: Data()) })
      try HandCover.insert(db, contentsOf: (0..<100).map { _ in HandCover(image: Data()) })
      let cover = try #require(try Cover.fetchOne(db))
      #expect(cover.image == Data())
      #expect(try Cover.fetchAll(db).allSatisfy { $0.image == Data() })
    }
  }

  @Test func `updates, literals, functions and expressions`() throws {
    try inDatabase { db in
      try db.execute(sql: "INSERT INTO cover (image) VALUES ('x'), (NULL)")
      try Table("cover").updateAll(db, Column("image").set(to: Data()))
      db.add(function: DatabaseFunction("emptiness", argumentCount: 0) { _ in Data() })
      try db.execute(sql: "INSERT INTO cover (image) VALUES (emptiness())")
      try db.execute(sql: "INSERT INTO cover (image) VALUES (\(Data().databaseValue.sqlLiteral))")
      let values = try Row.fetchAll(db, sql: "SELECT image FROM cover")
      #expect(values.allSatisfy { $0["image"] == Data() })
      #expect(try Table("cover").filter(Column("image") == Data()).fetchCount(db) == 4)
    }
  }
}

import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

/// Records of tables with generated columns: see <https://www.sqlite.org/gencol.html>.
struct GeneratedColumnTests {
  private static let schema = """
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, price INTEGER NOT NULL, count INTEGER NOT NULL,
      total INTEGER GENERATED ALWAYS AS (price * count) VIRTUAL,
      label TEXT GENERATED ALWAYS AS ('n' || count) STORED);
    """

  /// A record that reads the generated columns, and does not write them.
  private struct Item: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var price: Int
    var count: Int
    var total: Int?
    var label: String?

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["price"] = price
      container["count"] = count
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  /// A record that writes them.
  private struct Naive: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"
    var id: Int64
    var price: Int
    var count = 1
    var total = 0
  }

  @Test func `Writes that fetch return the generated values`() throws {
    let recorder = SQLRecorder()
    try DatabaseQueue(configuration: recorder.recording()).write { db in
      try db.execute(sql: Self.schema)
      _ = recorder.take()
      var item = try Item(price: 3, count: 2).insertAndFetch(db)
      #expect(item == Item(id: 1, price: 3, count: 2, total: 6, label: "n2"))
      item.count = 4
      item = try item.updateAndFetch(db)
      #expect(item == Item(id: 1, price: 3, count: 4, total: 12, label: "n4"))
      #expect(
        try item.updateChangesAndFetch(db) { $0.price = 5 }
          == Item(id: 1, price: 5, count: 4, total: 20, label: "n4"))
      item.count = 1
      #expect(
        try item.saveAndFetch(db) == Item(id: 1, price: 5, count: 1, total: 5, label: "n1"))
      item.price = 6
      #expect(
        try item.upsertAndFetch(db) == Item(id: 1, price: 6, count: 1, total: 6, label: "n1"))
      let update = #"UPDATE "item" SET "price"=?, "count"=? WHERE "id"=? RETURNING *"#
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "item" ("id", "price", "count") VALUES (?,?,?) RETURNING *"#, update,
          #"UPDATE "item" SET "price"=? WHERE "id"=? RETURNING *"#, update,
          #"INSERT INTO "item" ("id", "price", "count") VALUES (?,?,?) ON CONFLICT DO UPDATE SET "#
            + #""price" = "excluded"."price", "count" = "excluded"."count" RETURNING *, "rowid""#,
        ])
      var items = [Item(price: 1, count: 2), Item(price: 3, count: 4)]
      try Item.insert(db, contentsOf: &items)
      #expect(try Item.fetchAll(db).map(\.total) == [6, 2, 12])
    }
  }

  @Test func `A generated column that is written throws, with its name and the SQL`() throws {
    try makeDatabase(sql: Self.schema).write { db in
      try db.execute(sql: "INSERT INTO item (price, count) VALUES (3, 2)")
      let new = Naive(id: 2, price: 1)
      let inserts: [() throws -> Void] = [
        { try new.insert(db) }, { _ = try new.insertAndFetch(db) }, { try new.upsert(db) },
        { try new.insert(db, columns: .nonNull) }, { try Naive.insert(db, contentsOf: [new]) },
      ]
      for insert in inserts {
        let text = errorText(insert)
        #expect(text?.contains(#"cannot INSERT into generated column "total""#) == true)
        #expect(text?.contains(#"while executing `INSERT INTO "item""#) == true)
      }
      let old = Naive(id: 1, price: 1)
      let updates: [() throws -> Void] = [
        { try old.update(db) }, { _ = try old.updateAndFetch(db) }, { try old.save(db) },
        { try old.update(db, columns: ["total"]) },
      ]
      for update in updates {
        let text = errorText(update)
        #expect(text?.contains(#"cannot UPDATE generated column "total""#) == true)
        #expect(text?.contains(#"while executing `UPDATE "item" SET"#) == true)
      }
      try old.update(db, columns: ["price"])
      #expect(try Item.fetchAll(db).map(\.total) == [2])
    }
  }
}

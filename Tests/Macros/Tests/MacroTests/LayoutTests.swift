import Foundation
import QuarryMacros
import Testing

@Record struct Shelf: Equatable {
  @PrimaryKey var id: Int64?
  var label: String
  var note: String?
  var size: Int

  static let volumes = hasMany(Volume.self)
}

@Record struct Volume: Equatable {
  @PrimaryKey var id: Int64?
  var shelfId: Int64?
  var label: String
  var note: String?

  static let shelf = belongsTo(Shelf.self)
}

/// A volume with its shelf: records that have columns of the same names.
struct VolumeInfo: FetchableRecord, Equatable {
  var volume: Volume
  var shelf: Shelf?

  init(volume: Volume, shelf: Shelf?) {
    self.volume = volume
    self.shelf = shelf
  }

  init(row: Row) throws {
    volume = try Volume(row: row)
    shelf = row["shelf"]
  }
}

@Embeddable struct Label: Equatable {
  var text: String
}

/// Two columns of one name, which no macro sees.
@Record struct Doubled: Equatable {
  var label_text: String
  @Embedded var label: Label
}

/// Positions hold for one layout: what happens to the others.
@Suite("Records by macro on other columns")
struct LayoutTests {
  static let shelf = Shelf(id: 1, label: "A", note: "n", size: 3)

  func withShelf<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: "CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT, note TEXT, size INTEGER)")
      try db.execute(sql: "INSERT INTO shelf VALUES (1, 'A', 'n', 3)")
      return try body(db)
    }
  }

  @Test(arguments: [
    "id, label, note, size", "size, note, label, id", "note, id, size, label",
    "id, label, size, note",
    "id, label, note, size, size AS more", "size AS more, id, label, note, size",
    "id AS ID, label AS LABEL, note AS Note, size AS sIzE",
    "id, label, note, size, 7 AS id, 'z' AS note", "id, 'A' AS label, note, label AS other, size",
  ])
  func `columns are found wherever they stand`(columns: String) throws {
    try withShelf { db in
      for _ in 1...2 {
        try #expect(Shelf.fetchAll(db, sql: "SELECT \(columns) FROM shelf") == [Self.shelf])
        try #expect(
          Row.fetchAll(db, sql: "SELECT \(columns) FROM shelf").map { try Shelf(row: $0) }
            == [Self.shelf])
      }
    }
  }

  @Test func `the leftmost of two columns of one name counts, as by hand`() throws {
    try withShelf { db in
      let sql = "SELECT id, 'first' AS label, 'second' AS label, note, size FROM shelf"
      let expected = try #require(try Row.fetchOne(db, sql: sql))["label"] as String
      try #expect(Shelf.fetchOne(db, sql: sql)?.label == expected)
      #expect(expected == "first")
    }
  }

  @Test func `a column that is missing is an error that names it, and not nil`() throws {
    try withShelf { db in
      let error = #expect(throws: RowDecodingError.self) {
        try Shelf.fetchOne(db, sql: "SELECT id, note, size FROM shelf")
      }
      #expect(error?.description.contains("column not found: \"label\"") == true)
    }
  }

  @Test func `NULL is an error where the property is not optional`() throws {
    try withShelf { db in
      try db.execute(sql: "UPDATE shelf SET size = NULL")
      let error = #expect(throws: RowDecodingError.self) { try Shelf.fetchOne(db) }
      #expect(error?.description.contains("column: \"size\"") == true)
    }
  }

  @Test func `a text is no number, and an error`() throws {
    try withShelf { db in
      try db.execute(sql: "UPDATE shelf SET size = 'large'")
      let error = #expect(throws: RowDecodingError.self) { try Shelf.fetchOne(db) }
      #expect(error?.description.contains("column: \"size\"") == true)
    }
  }

  @Test(arguments: [
    ("ALTER TABLE shelf ADD COLUMN color TEXT DEFAULT 'red'", shelf),
    (
      "ALTER TABLE shelf DROP COLUMN note; ALTER TABLE shelf ADD COLUMN note TEXT DEFAULT 'x'",
      Shelf(id: 1, label: "A", note: "x", size: 3)
    ),
    (
      """
      ALTER TABLE shelf RENAME COLUMN note TO other;
      ALTER TABLE shelf ADD COLUMN note TEXT DEFAULT 'y'
      """, Shelf(id: 1, label: "A", note: "y", size: 3)
    ),
    (
      """
      DROP TABLE shelf;
      CREATE TABLE shelf (size INTEGER, note TEXT, label TEXT, id INTEGER PRIMARY KEY);
      INSERT INTO shelf VALUES (3, 'n', 'A', 1)
      """, shelf
    ),
    (
      """
      ALTER TABLE shelf RENAME COLUMN label TO swapped;
      ALTER TABLE shelf RENAME COLUMN note TO label;
      ALTER TABLE shelf RENAME COLUMN swapped TO note
      """, Shelf(id: 1, label: "n", note: "A", size: 3)
    ),
  ])
  func `a table that changes is decoded by its new columns`(change: String, expected: Shelf) throws
  {
    try withShelf { db in
      let statement = try db.makeStatement(sql: "SELECT * FROM shelf")
      for _ in 1...2 {
        try #expect(Shelf.fetchAll(db) == [Self.shelf])
        try #expect(Shelf.fetchOne(db, key: 1) == Self.shelf)
        try #expect(Shelf.fetchAll(statement) == [Self.shelf])
      }
      try db.execute(sql: change)
      for _ in 1...2 {
        try #expect(Shelf.fetchAll(db) == [expected])
        try #expect(Shelf.fetchOne(db, key: 1) == expected)
        try #expect(Shelf.fetchAll(statement) == [expected])
      }
      var inserted = Shelf(id: nil, label: "B", note: nil, size: 9)
      try inserted.insert(db)
      try #expect(Shelf.find(db, id: inserted.id) == inserted)
    }
  }

  @Test func `a table that another connection changes is decoded by its new columns`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("macros-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("shelves.sqlite").path
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT, note TEXT, size INTEGER)")
      try db.execute(sql: "INSERT INTO shelf VALUES (1, 'A', 'n', 3)")
    }
    try queue.read { db in try #expect(Shelf.fetchAll(db) == [Self.shelf]) }
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          DROP TABLE shelf;
          CREATE TABLE shelf (note TEXT, size INTEGER, id INTEGER PRIMARY KEY, label TEXT);
          INSERT INTO shelf VALUES ('n', 3, 1, 'A')
          """)
    }
    try queue.read { db in try #expect(Shelf.fetchAll(db) == [Self.shelf]) }
  }

  @Test func `joined records have the same columns, and different values`() throws {
    try withShelf { db in
      try db.execute(
        sql: """
          CREATE TABLE volume (
            id INTEGER PRIMARY KEY, shelfId INTEGER REFERENCES shelf(id), label TEXT, note TEXT);
          INSERT INTO volume VALUES (7, 1, 'V', NULL), (8, NULL, 'W', 'w')
          """)
      let shelved = Volume(id: 7, shelfId: 1, label: "V", note: nil)
      let loose = Volume(id: 8, shelfId: nil, label: "W", note: "w")
      let request = Volume.order { $0.id }.including(optional: Volume.shelf)
      try #expect(
        request.asRequest(of: VolumeInfo.self).fetchAll(db)
          == [
            VolumeInfo(volume: shelved, shelf: Self.shelf), VolumeInfo(volume: loose, shelf: nil),
          ])
      // Columns are shared: the shelf is not that of the volume.
      let rows = try Row.fetchAll(
        db, sql: "SELECT volume.*, shelf.* FROM volume JOIN shelf ON shelf.id = shelfId",
        adapter: ScopeAdapter([
          "volume": RangeRowAdapter(0..<4), "shelf": RangeRowAdapter(4..<8),
        ]))
      try #expect(Volume(row: #require(rows[0].scopes["volume"])) == shelved)
      try #expect(Shelf(row: #require(rows[0].scopes["shelf"])) == Self.shelf)
    }
  }

  @Test func `prefetched records, also as an annotation`() throws {
    try withShelf { db in
      try db.execute(
        sql: """
          CREATE TABLE volume (
            id INTEGER PRIMARY KEY, shelfId INTEGER REFERENCES shelf(id), label TEXT, note TEXT);
          INSERT INTO volume VALUES (7, 1, 'V', NULL), (8, 1, 'W', 'w')
          """)
      let row = try #require(
        try Row.fetchOne(
          db,
          Shelf.including(all: Shelf.volumes.order(Column("id"))).annotated(
            with: Shelf.volumes.count)))
      try #expect(Shelf(row: row) == Self.shelf)
      let volumes: [Volume] = row["volumes"]
      #expect(volumes.map(\.id) == [7, 8] && volumes.map(\.note) == [nil, "w"])
      #expect(row["volumeCount"] == 2)
    }
  }

  @Test func `two columns of one name are an error when the record is stored and fetched`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE doubled (label_text TEXT)")
      let doubled = Doubled(label_text: "a", label: Label(text: "b"))
      let stored = #expect(throws: DatabaseError.self) { try doubled.insert(db) }
      #expect(
        stored?.message
          == """
          two properties of Doubled have the column "label_text": give one of them another name, or \
          the embedded ones another prefix
          """)
      #expect(throws: DatabaseError.self) { try Doubled.insert(db, contentsOf: [doubled]) }
      try db.execute(sql: "INSERT INTO doubled VALUES ('c')")
      let fetched = #expect(throws: DatabaseError.self) { try Doubled.fetchAll(db) }
      #expect(fetched?.message == stored?.message)
      #expect(throws: DatabaseError.self) { try Doubled.createTable(db) }
    }
  }
}

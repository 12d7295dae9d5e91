import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Changes as records", .needs(.sessions))
struct RecordChangeTests {
  private struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int
    var title: String
    var price: Double
  }

  private struct Cells: FetchableRecord, TableRecord {
    static var databaseTableName: String { "main.Wide" }
    let names: [String]
    let second: Int

    init(row: Row) throws {
      names = Array(row.columnNames)
      second = row[1]
    }
  }

  @Test func `the columns of a row have their order, and the table may have its schema`() throws {
    let columns = (0..<20).map { "c\($0)" }
    let shop = try makeShop(
      "CREATE TABLE wide (\(columns.joined(separator: ", ")), PRIMARY KEY (c0))")
    try shop.write { db in
      let values = (0..<20).map(String.init).joined(separator: ", ")
      let changeset = try db.changes("INSERT INTO wide VALUES (\(values))")
      let records = try changeset.records(of: Cells.self, db)
      #expect(records.count == 1)
      guard case .inserted(let record) = records.first else { return }
      #expect(record.names == columns)
      #expect(record.second == 1)
      try db.execute(sql: "DROP TABLE wide")
      let error = changesetError { _ = try Changeset().records(of: Cells.self, db) }
      #expect(error?.code == .schema)
      #expect(error?.message.contains("the table main.Wide") == true)
    }
  }

  private struct Item: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int
    var name: String
    var count: Int
    var note: String?
  }

  @Test func `columns that a changeset lacks are those of the row, or have their default`() throws {
    let changeset = try makeShop("CREATE TABLE item (id INTEGER PRIMARY KEY, name)").write { db in
      try db.changes("INSERT INTO item VALUES (1, 'Pen')")
    }
    let copy = try makeShop(
      """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, name, count INTEGER NOT NULL DEFAULT '7', note TEXT,
        made DEFAULT CURRENT_TIMESTAMP)
      """)
    func item(count: Int, note: String? = nil) -> Item {
      Item(id: 1, name: "Pen", count: count, note: note)
    }
    try copy.write { db in
      try #expect(changeset.records(of: Item.self, db) == [.inserted(item(count: 7))])
      try changeset.apply(to: db)
      try db.execute(sql: "UPDATE item SET name = 'Pens', count = 8, note = 'x'")
      try #expect(changeset.records(of: Item.self, db) == [.inserted(item(count: 8, note: "x"))])
      let inverse = try changeset.inverted()
      try #expect(inverse.records(of: Item.self, db) == [.deleted(item(count: 8, note: "x"))])
      try db.execute(sql: "DELETE FROM item")
      try #expect(inverse.records(of: Item.self, db) == [.deleted(item(count: 7))])
    }
  }

  private struct Note: Codable, Equatable, FetchableRecord, TableRecord {
    static var databaseTableName: String { "item" }
    var name: String
    var note: String?
  }

  @Test func `generated columns are missing`() throws {
    let item = "CREATE TABLE item (id INTEGER PRIMARY KEY, name"
    let rows = "INSERT INTO item VALUES (1, 'Pen');"
    let update = try shopChanges(
      "UPDATE item SET name = 'Ink'; INSERT INTO item VALUES (2, 'Nib')",
      rows: "\(item)); \(rows)")
    let copy = try makeShop("\(item), note TEXT AS (upper(name))); \(rows)")
    try copy.write { db in
      func check() throws {
        try #expect(
          update.records(of: Note.self, db) == [
            .updated(old: Note(name: "Pen"), new: Note(name: "Ink")), .inserted(Note(name: "Nib")),
          ])
      }
      try check()
      try update.apply(to: db)
      try check()
      try #expect(String.fetchAll(db, sql: "SELECT note FROM item ORDER BY id") == ["INK", "NIB"])
    }
  }

  @Test func `changes are records, with the columns that an update leaves`() throws {
    let rows = "INSERT INTO book VALUES (1, NULL, 'Emma', 9), (2, NULL, 'Persuasion', 8)"
    try makeShop(rows).write { db in
      let changeset = try db.changes(
        """
        UPDATE book SET price = 10 WHERE id = 1; DELETE FROM book WHERE id = 2;
        INSERT INTO book VALUES (3, NULL, 'Beowulf', 7); INSERT INTO author VALUES (1, 'A');
        """)
      let expected: [RecordChange<Book>] = [
        .updated(
          old: Book(id: 1, title: "Emma", price: 9), new: Book(id: 1, title: "Emma", price: 10)),
        .deleted(Book(id: 2, title: "Persuasion", price: 8)),
        .inserted(Book(id: 3, title: "Beowulf", price: 7)),
      ]
      func check(_ db: Database) throws {
        let found = try changeset.records(of: Book.self, db)
        #expect(found.count == 3)
        for change in expected { #expect(found.contains(change)) }
      }
      try check(db)
      // Where they are to be made, too.
      try makeShop(rows).read { db in try check(db) }
      try makeShop().read { db in
        let error = changesetError { _ = try changeset.records(of: Book.self, db) }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("update book [1]") == true)
      }
      let patchset = try db.recordPatchset { try db.execute(sql: "DELETE FROM book") }
      #expect(
        changesetError { _ = try patchset.records(of: Book.self, db) }?.code == .patchset)
    }
  }
}

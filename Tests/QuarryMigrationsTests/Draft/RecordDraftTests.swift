import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

@Suite("Drafts for record types")
struct RecordDraftTests {
  /// Drafts a migration, rehearses it and runs it: the types fit the tables then.
  private func draft(
    _ sql: String, _ types: [any TableRecord.Type], definitions: [String: String] = [:],
    dropping: [String] = [], renaming: [String: String] = [:], values: [String: String] = [:],
    allowing permissions: MigrationDraft.Permissions = [],
    check: (Database) throws -> Void = { _ in }
  ) throws -> MigrationDraft {
    let queue = try makeDatabase(sql: sql)
    let draft = try MigrationDraft(
      from: queue, to: types, definitions: definitions, dropping: dropping, renaming: renaming,
      values: values, allowing: permissions)
    let rehearsal = try draft.rehearse(queue)
    #expect(rehearsal.isSuccessful, "\(rehearsal)")
    var migrator = DatabaseMigrator()
    migrator.registerMigration("draft") { try $0.execute(sql: draft.sql) }
    try migrator.migrate(queue)
    try queue.read { db in
      try #expect(db.schemaDifferences(of: types) == [])
      try check(db)
    }
    try #expect(
      MigrationDraft(from: queue, to: types, definitions: definitions).isEmpty, "\(draft.sql)")
    return draft
  }

  private func problems(
    _ sql: String, _ types: [any TableRecord.Type], definitions: [String: String] = [:],
    dropping: [String] = [], renaming: [String: String] = [:]
  ) throws -> String {
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: makeDatabase(sql: sql), to: types, definitions: definitions, dropping: dropping,
        renaming: renaming, allowing: .dataLoss)
    }
    return error?.description ?? ""
  }

  @Test func `a missing table has the columns of the properties`() throws {
    let draft = try draft("", [Shelf.self])
    #expect(
      draft.sql == """
        CREATE TABLE "shelf" ("id" INTEGER PRIMARY KEY, "code" BLOB NOT NULL, "kind" TEXT NOT NULL, \
        "otherKind" TEXT, "label" TEXT, "count" INTEGER NOT NULL, "bonus" INTEGER, \
        "ratio" DOUBLE NOT NULL, "isOpen" BOOLEAN NOT NULL, "isLocked" BOOLEAN, \
        "made" DATETIME NOT NULL, "seen" DATETIME, "image" BLOB NOT NULL, "price" TEXT NOT NULL, \
        "link" TEXT, "isbn" TEXT NOT NULL, "size" TEXT NOT NULL, "tags" TEXT NOT NULL, \
        "initial" TEXT NOT NULL);

        """)
    #expect(draft.differences == ["table shelf is missing"])
    #expect(draft.unknownColumns == [])
  }

  @Test func `missing columns are added, and unknown ones stay`() throws {
    let draft = try draft(
      """
      CREATE TABLE volume (id INTEGER PRIMARY KEY, title TEXT NOT NULL, blurb TEXT);
      INSERT INTO volume VALUES (1, 'The Trial', 'Somebody …');
      """, [Volume.self],
      check: { db in
        try #expect(
          Row.fetchAll(db, sql: "SELECT * FROM volume") == [
            ["id": 1, "title": "The Trial", "blurb": "Somebody …", "pages": nil]
          ])
      })
    #expect(draft.sql == "ALTER TABLE \"volume\" ADD COLUMN \"pages\" INTEGER;\n")
    #expect(draft.differences == ["column volume.pages is missing"])
    #expect(draft.unknownColumns == ["volume.blurb"])
    #expect(
      draft.swift(identifier: "Pages") == """
        migrator.registerMigration("Pages") { db in
          try db.alter(table: "volume") { t in
            t.add(column: "pages", .integer)
          }
        }

        """)
  }

  @Test func `a column that no record has is dropped when it is named`() throws {
    let schema = """
      CREATE TABLE volume (id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER, blurb TEXT);
      INSERT INTO volume VALUES (1, 'The Trial', NULL, 'Somebody …');
      """
    let draft = try draft(
      schema, [Volume.self], dropping: ["volume.blurb"], allowing: .dataLoss)
    #expect(draft.sql == "ALTER TABLE \"volume\" DROP COLUMN \"blurb\";\n")
    #expect(draft.losses.map(\.description) == ["column volume.blurb: 1 values"])
    #expect(draft.unknownColumns == [])
    #expect(
      throws: MigrationDraftError.dataLoss(draft.losses),
      performing: {
        try MigrationDraft(
          from: makeDatabase(sql: schema), to: [Volume.self], dropping: ["volume.blurb"])
      })
  }

  @Test func `NULL is allowed, and refused, as properties say`() throws {
    let draft = try draft(
      """
      CREATE TABLE volume (
        id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, pages INTEGER NOT NULL DEFAULT 1 CHECK (pages > 0));
      CREATE INDEX volume_title ON volume (title);
      INSERT INTO volume VALUES (1, NULL, 3), (2, 'Emma', 4);
      """, [Volume.self], values: ["volume.title": "coalesce(title, '?')"],
      check: { db in
        try #expect(
          String.fetchAll(db, sql: "SELECT title FROM volume ORDER BY id") == ["?", "Emma"])
        try #expect(db.indexes(on: "volume").map(\.name) == ["volume_title"])
      })
    #expect(
      draft.sql.hasPrefix(
        """
        CREATE TABLE "quarry_new_volume" (id INTEGER PRIMARY KEY, "title" TEXT COLLATE NOCASE NOT NULL, \
        "pages" INTEGER DEFAULT 1 CHECK (pages > 0));

        """), "\(draft.sql)")
    #expect(draft.differences.count == 2)
  }

  @Test func `a column that may be NULL needs a value`() throws {
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: makeDatabase(
          sql: """
            CREATE TABLE volume (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER);
            INSERT INTO volume VALUES (1, NULL, 1), (2, 'Emma', 2)
            """), to: [Volume.self])
    }
    guard case .missingValues(let missing) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(missing.map(\.description) == ["volume.title: 1 rows without value"])
  }

  @Test func `a type that converts values is changed, and others stay`() throws {
    struct Item: Codable, FetchableRecord, PersistableRecord {
      var id: Int64
      var code: String
      var count: Int
      var flag: Bool
      var ratio: Double
      var date: Date
      var key: UUID
    }
    let schema = """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, code VARCHAR(9) NOT NULL, count NUMERIC NOT NULL,
        flag INTEGER NOT NULL, ratio NUMERIC NOT NULL, date TEXT NOT NULL, key TEXT NOT NULL);
      """
    try #expect(draft(schema, [Item.self]).isEmpty)
    let numbers = try draft(
      schema.replacing("VARCHAR(9)", with: "INTEGER")
        + "INSERT INTO item VALUES (1, '007', 1, 1, 1, '', x'')", [Item.self], allowing: .dataLoss)
    #expect(
      numbers.differences == [
        "column item.code is code INTEGER NOT NULL, not \"code\" TEXT NOT NULL"
      ])
    #expect(numbers.sql.contains("\"code\" TEXT NOT NULL"))
    try #expect(
      draft(schema.replacing("count NUMERIC", with: "count TEXT"), [Item.self], allowing: .dataLoss)
        .sql.contains("\"count\" INTEGER NOT NULL"))
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: makeDatabase(
          sql: schema.replacing("count NUMERIC", with: "count TEXT")
            + "INSERT INTO item VALUES (1, 'a', 'many', 1, 1, '', x'')"), to: [Item.self])
    }
    #expect(error?.description.contains("type of item.count: 1 values change") == true)
  }

  @Test func `a rowid becomes another key`() throws {
    struct Item: Codable, FetchableRecord, PersistableRecord {
      var id: UUID
    }
    let draft = try draft(
      "CREATE TABLE item (id INTEGER PRIMARY KEY); INSERT INTO item VALUES (5)", [Item.self],
      values: ["item.id": "id"],
      check: { db in try #expect(Int.fetchAll(db, sql: "SELECT id FROM item") == [5]) })
    #expect(
      draft.sql.hasPrefix("CREATE TABLE \"quarry_new_item\" (\"id\" BLOB PRIMARY KEY NOT NULL);"),
      "\(draft.sql)")
  }

  @Test func `strict tables have strict types`() throws {
    struct Item: Codable, FetchableRecord, PersistableRecord {
      var id: Int64
      var flag: Bool?
      var date: Date?
      var ratio: Double?
      var note: String?
    }
    let draft = try draft(
      "CREATE TABLE item (id INTEGER PRIMARY KEY, note ANY) STRICT", [Item.self])
    #expect(
      draft.sql == """
        ALTER TABLE "item" ADD COLUMN "flag" INTEGER;
        ALTER TABLE "item" ADD COLUMN "date" TEXT;
        ALTER TABLE "item" ADD COLUMN "ratio" REAL;

        """)
  }

  @Test func `encodings of dates, data and names decide`() throws {
    struct LogEntry: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "log"
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
      static let databaseColumnDecodingStrategy =
        DatabaseColumnDecodingStrategy.convertFromSnakeCase
      static func databaseDateEncodingStrategy(
        for column: String
      ) -> DatabaseDateEncodingStrategy {
        column == "made_at" ? .millisecondsSince1970 : .iso8601
      }
      static func databaseDataEncodingStrategy(
        for column: String
      ) -> DatabaseDataEncodingStrategy { column == "raw_text" ? .text : .deferredToData }
      static func databaseUUIDEncodingStrategy(
        for column: String
      ) -> DatabaseUUIDEncodingStrategy {
        column == "owner_key" ? .deferredToUUID : .lowercaseString
      }
      var id: UUID
      var ownerKey: UUID
      var madeAt: Date
      var endedAt: Date?
      var rawText: Data?
    }
    #expect(
      try draft("", [LogEntry.self]).sql == """
        CREATE TABLE "log" ("id" TEXT PRIMARY KEY NOT NULL, "owner_key" BLOB NOT NULL, \
        "made_at" INTEGER NOT NULL, "ended_at" DATETIME, "raw_text" TEXT);

        """)
  }

  @Test func `names are changed when they are given`() throws {
    let schema = """
      CREATE TABLE tome (id INTEGER PRIMARY KEY, name TEXT NOT NULL, pages INTEGER);
      CREATE INDEX tome_name ON tome (name);
      CREATE VIEW names AS SELECT name FROM tome;
      INSERT INTO tome VALUES (1, 'Emma', NULL);
      """
    let draft = try draft(
      schema, [Volume.self], renaming: ["tome": "volume", "tome.name": "title"],
      check: { db in
        try #expect(String.fetchAll(db, sql: "SELECT * FROM names") == ["Emma"])
      })
    #expect(draft.losses == [])
    #expect(draft.sql.contains("ALTER TABLE \"tome\" RENAME TO \"volume\""))
    #expect(draft.sql.contains("RENAME COLUMN \"name\" TO \"title\""))
    try #expect(
      problems(schema, [Volume.self], renaming: ["tome.pagez": "pages"]).contains("tome.pagez"))
  }

  private static let indexedTome = """
    CREATE TABLE tome (id INTEGER PRIMARY KEY, name TEXT NOT NULL, pages INTEGER);
    CREATE VIRTUAL TABLE ft USING fts5(name, content='tome', content_rowid='id');
    CREATE TRIGGER __ft_ai AFTER INSERT ON tome BEGIN
      INSERT INTO ft(rowid, name) VALUES (new.id, new.name);
    END;
    CREATE TRIGGER __ft_ad AFTER DELETE ON tome BEGIN
      INSERT INTO ft(ft, rowid, name) VALUES ('delete', old.id, old.name);
    END;
    CREATE VIRTUAL TABLE ft4 USING fts4(name, content="tome");
    CREATE TRIGGER __ft4_ai AFTER INSERT ON tome BEGIN
      INSERT INTO ft4(docid, name) VALUES (new.id, new.name);
    END;
    INSERT INTO tome VALUES (1, 'Emma', NULL);
    """

  @Test(.needs(.fullText)) func `full-text tables follow new names`() throws {
    let queue = try makeDatabase(sql: Self.indexedTome)
    let draft = try MigrationDraft(
      from: queue, to: [Volume.self], renaming: ["tome": "volume", "tome.name": "title"])
    #expect(draft.losses == [])
    for sql in [
      #"CREATE VIRTUAL TABLE "ft" USING fts5("title", content='volume', content_rowid='id');"#,
      #"CREATE VIRTUAL TABLE "ft4" USING fts4("title", content='volume');"#,
    ] {
      #expect(draft.sql.contains(sql), "\(draft.sql)")
    }
    try #expect(draft.rehearse(queue).isSuccessful)
    try queue.write { db in
      try db.execute(sql: draft.sql)
      for index in ["ft", "ft4"] {
        let sql = "SELECT rowid, title FROM \(index) WHERE \(index) MATCH 'emma'"
        try #expect(Row.fetchAll(db, sql: sql) == [["rowid": 1, "title": "Emma"]], "\(index)")
      }
      try db.execute(sql: "INSERT INTO volume VALUES (2, 'Persuasion', NULL)")
      for index in ["ft", "ft4"] {
        let sql = "SELECT rowid FROM \(index) WHERE \(index) MATCH 'persuasion'"
        try #expect(Int.fetchAll(db, sql: sql) == [2], "\(index)")
      }
      try db.execute(sql: "DELETE FROM volume WHERE id = 1")
      let sql = "SELECT rowid FROM ft WHERE ft MATCH 'emma'"
      try #expect(Int.fetchAll(db, sql: sql) == [])
    }
  }

  @Test(.needs(.fullText)) func `a full-text table follows the new name of a column`() throws {
    struct Tome: Codable, FetchableRecord, PersistableRecord {
      var id: Int64
      var title: String
      var pages: Int?
    }
    let renaming = ["tome.name": "title"]
    let draft = try draft(Self.indexedTome, [Tome.self], renaming: renaming) { db in
      let sql = "SELECT title FROM ft WHERE ft MATCH 'emma'"
      try #expect(String.fetchAll(db, sql: sql) == ["Emma"])
    }
    #expect(
      draft.sql.contains(#"USING fts5("title", content='tome', content_rowid='id');"#),
      "\(draft.sql)")
    let view = "CREATE VIEW found AS SELECT name FROM ft;"
    #expect(
      try problems(Self.indexedTome + view, [Tome.self], renaming: renaming)
        == "tome.name: view found names it, or seems to, as a column of the full-text table ft: "
        + "change that first")
  }

  @Test(.needs(.fullText))
  func `a view beside a full-text table may name columns that the index does not have`() throws {
    struct Tome: Codable, FetchableRecord, PersistableRecord {
      var key: Int64
      var name: String
      var pageCount: Int?
    }
    let view = """
      CREATE TABLE leaflet (id INTEGER PRIMARY KEY, pages INTEGER);
      CREATE VIEW found AS
        SELECT ft.rowid, leaflet.id, leaflet.pages FROM ft JOIN leaflet ON leaflet.id = ft.rowid;
      INSERT INTO leaflet VALUES (1, 8);
      """
    let draft = try draft(
      Self.indexedTome + view, [Tome.self],
      renaming: ["tome.id": "key", "tome.pages": "pageCount"]
    ) { db in
      try #expect(Int.fetchAll(db, sql: "SELECT pages FROM found") == [8])
      let sql = "SELECT rowid FROM ft WHERE ft MATCH 'emma'"
      try #expect(Int.fetchAll(db, sql: sql) == [1])
    }
    #expect(draft.losses == [])
    #expect(
      draft.sql.contains("USING fts5(name, content='tome', content_rowid='key');"), "\(draft.sql)")
  }

  @Test func `definitions say what types don't`() throws {
    struct Parcel: Codable, FetchableRecord, PersistableRecord {
      var code: String
      var weight: Weight
      var number: Int
    }
    let text = try problems("", [Parcel.self])
    #expect(text.contains("Parcel.weight: the type of the column parcel.weight can't be found"))
    #expect(text.contains("\"parcel.weight\": \"TEXT NOT NULL\""))
    let keyless = try problems(
      "", [Parcel.self], definitions: ["parcel.weight": "INTEGER NOT NULL"])
    #expect(keyless.contains("parcel: the primary key of the new table can't be found"))
    let draft = try draft(
      "", [Parcel.self],
      definitions: [
        "parcel.weight": "INTEGER NOT NULL CHECK (weight > 0)",
        "parcel": "PRIMARY KEY (code, number)",
      ])
    #expect(
      draft.sql == """
        CREATE TABLE "parcel" ("weight" INTEGER NOT NULL CHECK (weight > 0), "code" TEXT NOT NULL, \
        "number" INTEGER NOT NULL, PRIMARY KEY (code, number));

        """)
    let added = try self.draft(
      "CREATE TABLE volume (id INTEGER PRIMARY KEY, title TEXT NOT NULL); INSERT INTO volume VALUES (1, 'a')",
      [Volume.self], definitions: ["volume.pages": "INTEGER DEFAULT 0"])
    #expect(added.sql == "ALTER TABLE \"volume\" ADD COLUMN \"pages\" INTEGER DEFAULT 0;\n")
  }

  @Test func `types of one table are taken together`() throws {
    struct Title: Decodable, FetchableRecord, TableRecord {
      static let databaseTableName = "volume"
      var id: Int64
      var title: String?
      var year: Int
    }
    let draft = try draft(
      "CREATE TABLE volume (id INTEGER PRIMARY KEY, title TEXT NOT NULL)",
      [Volume.self, Title.self], definitions: ["volume.year": "INTEGER NOT NULL DEFAULT 0"])
    #expect(
      draft.sql == """
        ALTER TABLE "volume" ADD COLUMN "year" INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE "volume" ADD COLUMN "pages" INTEGER;

        """)
    struct Rigid: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "volume"
      var id: Int64?
      var title: Date
      var pages: Int
    }
    let text = try problems("", [Volume.self, Rigid.self])
    #expect(
      text.contains("volume.pages: of the properties Rigid.pages, Volume.pages, some can be nil"))
    #expect(!text.contains("volume.title: the properties"))
    struct Other: Decodable, FetchableRecord, TableRecord {
      static let databaseTableName = "volume"
      var title: Int
    }
    try #expect(
      problems("", [Volume.self, Other.self])
        .contains("volume.title: the properties Other.title, Volume.title need columns"))
  }

  @Test func `types that don't say enough are errors`() throws {
    struct Empty: TableRecord { static let databaseTableName = "volume" }
    struct Picky: Decodable, FetchableRecord, TableRecord {
      struct Refusal: Error {}
      struct Strict: Decodable {
        init(from decoder: any Decoder) throws { throw Refusal() }
      }
      var id: Int64
      var part: Strict
      var rest: Int
    }
    struct Named: Decodable, FetchableRecord, TableRecord {
      static let databaseTableName = "volume"
      static let databaseColumnDecodingStrategy =
        DatabaseColumnDecodingStrategy.convertFromSnakeCase
      var id: Int64
      var subTitle: String
    }
    struct ByHand: EncodableRecord, PersistableRecord, FetchableRecord {
      static let databaseTableName = "volume"
      var title: String
      init(row: Row) throws { title = row["title"] }
      func encode(to container: inout PersistenceContainer) {
        container["title"] = title
        container["more"] = 1
      }
    }
    let table = "CREATE TABLE volume (id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER);"
    try #expect(problems(table, [Empty.self]).contains("Empty: its columns can't be found"))
    let picky = try problems("", [Picky.self])
    #expect(
      picky.contains("Picky: not all properties can be found, since behind part, or of its own"))
    let named = try problems(table, [Named.self])
    #expect(named.contains("Named.subTitle: the name of its column can't be found"))
    try #expect(
      draft(table, [Named.self], definitions: ["volume.sub_title": "TEXT NOT NULL DEFAULT ''"])
        .sql.contains("ADD COLUMN \"sub_title\""))
    let byHand = try problems(table, [ByHand.self])
    #expect(byHand.contains("ByHand.more: the type of the column volume.more can't be found"))
    #expect(!byHand.contains("ByHand.title"))
    try #expect(
      problems("CREATE VIEW volume AS SELECT 1 AS id", [Volume.self]).contains(
        "volume: it is a view"))
  }

  @Test func `names and SQL that don't fit are errors`() throws {
    let table = """
      CREATE TABLE volume (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER, blurb TEXT, year INTEGER, isbn TEXT,
        note TEXT, CHECK (year > 0));
      CREATE INDEX volume_blurb ON volume (blurb);
      CREATE VIEW notes AS SELECT note FROM volume;
      CREATE TABLE loan (id INTEGER PRIMARY KEY, isbn TEXT REFERENCES volume (isbn));
      """
    for (definitions, fault) in [
      (["volumes.pages": "TEXT"], "volumes is the table of none of the record types"),
      (["volume.sides": "TEXT"], "neither the table nor a record type has this column"),
      (["volume": "CHECK (pages > 0)"], "the table exists without this constraint"),
      (["a.b.c": "TEXT"], "write the name as table.column"),
      (["volume.": "TEXT"], "write the name as table.column"),
      (["volume.pages": "INTEGER, x TEXT"], "a definition is more than that of its column"),
      (["volume.pages": "INTEGER CHECK ("], "in CREATE TABLE"),
    ] {
      let text = try problems(table, [Volume.self], definitions: definitions)
      #expect(text.contains(fault), "\(text)")
    }
    for (column, fault) in [
      ("volume.pages", "Volume.pages is stored in it"), ("volume.none", "has no such column"),
      ("volume", "give a column"), ("loan.isbn", "none of the record types"),
      ("volume.blurb", "index volume_blurb names it"), ("volume.year", "a constraint names it"),
      ("volume.note", "view notes names it"), ("volume.isbn", "a foreign key of loan names it"),
    ] {
      let text = try problems(table, [Volume.self], dropping: [column])
      #expect(text.contains(fault), "\(text)")
    }
    let both = try problems(
      table, [Volume.self], definitions: ["volume.note": "TEXT"], dropping: ["volume.note"])
    #expect(both.contains("it is in definitions, too"))
  }

  @Test func `an optional part of a key without NULL is an error`() throws {
    struct Item: Codable, FetchableRecord, PersistableRecord {
      var id: String?
    }
    let text = try problems(
      "CREATE TABLE item (id TEXT PRIMARY KEY) WITHOUT ROWID", [Item.self])
    #expect(
      text.contains("Item.id: the property can be nil, and its column is part of a primary key"))
    try #expect(draft("CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL)", [Item.self]).sql != "")
  }
}

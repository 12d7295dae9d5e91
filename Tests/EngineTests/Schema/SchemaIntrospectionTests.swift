import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

@Suite("Schema introspection")
struct SchemaIntrospectionTests {
  @Test func `tables, views and triggers exist under any case of their names`() throws {
    try withBookshop { db in
      try db.execute(
        sql: "CREATE TRIGGER bookChange AFTER UPDATE ON book BEGIN DELETE FROM note; END")
      #expect(try db.tableExists("book") && db.tableExists("BOOK"))
      #expect(try db.tableExists("book", in: "main") && db.tableExists("book", in: "MAIN"))
      #expect(try !db.tableExists("bestseller") && !db.tableExists("nope"))
      #expect(try db.viewExists("Bestseller") && !db.viewExists("book"))
      #expect(try db.triggerExists("BOOKCHANGE") && !db.triggerExists("book"))
      #expect(try !db.tableExists("book", in: "temp"))
    }
  }

  @Test func `columns are in table order, with their types, defaults and place in the key`() throws
  {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a TEXT NOT NULL DEFAULT 'x', b, c DOUBLE DEFAULT (1 + 2),
            d INTEGER GENERATED ALWAYS AS (c * 2) STORED, e AS (c + 1), PRIMARY KEY (b, a))
          """)
      let columns = try db.columns(in: "T")
      #expect(columns.map(\.name) == ["a", "b", "c", "d", "e"])
      #expect(columns.map(\.type) == ["TEXT", "", "DOUBLE", "INTEGER", ""])
      #expect(columns.map(\.isNotNull) == [true, false, false, false, false])
      #expect(columns.map(\.defaultValueSQL) == ["'x'", nil, "1 + 2", nil, nil])
      #expect(columns.map(\.primaryKeyIndex) == [2, 1, 0, 0, 0])
    }
  }

  @Test(.needs(.fullText)) func `hidden columns of virtual tables are left out`() throws {
    try DatabaseQueue().write { db in
      try db.create(virtualTable: "document", using: "fts4(title, body)")
      #expect(try db.columns(in: "document").map(\.name) == ["title", "body"])
    }
  }

  @Test(
    arguments: [
      ("id INTEGER PRIMARY KEY", ["id"], "id", true),
      ("id integer, PRIMARY KEY (id)", ["id"], "id", true),
      ("id INTEGER PRIMARY KEY DESC", ["id"], nil, false),
      ("id INT PRIMARY KEY", ["id"], nil, false),
      ("code TEXT PRIMARY KEY", ["code"], nil, false),
      ("b, a, PRIMARY KEY (a, b)", ["a", "b"], nil, false),
      ("a", ["rowid"], nil, true),
    ] as [(String, [String], String?, Bool)])
  func `a row identifier is recognised by the declaration of the key`(
    sql: String, columns: [String], rowIDColumn: String?, isRowID: Bool
  ) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (\(sql))")
      let key = try db.primaryKey("t")
      #expect(key.columns == columns)
      #expect(key.rowIDColumn == rowIDColumn)
      #expect(key.isRowID == isRowID)
    }
  }

  @Test func `an integer key of a table without rowid is no row identifier`() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY) WITHOUT ROWID")
      #expect(try db.primaryKey("t").columns == ["id"])
      #expect(try !db.primaryKey("t").isRowID)
      #expect(try db.indexes(on: "t").map(\.origin) == [.primaryKeyConstraint])
    }
  }

  @Test func `indexes have their columns and origin, those on expressions are left out`() throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a PRIMARY KEY, b UNIQUE, c);
          CREATE INDEX byCB ON t(c, b);
          CREATE UNIQUE INDEX byC ON t(c) WHERE c > 0;
          CREATE INDEX byExpression ON t(c, b + 1);
          """)
      let indexes = try db.indexes(on: "t").sorted { $0.name < $1.name }
      #expect(
        indexes.map(\.name) == ["byC", "byCB", "sqlite_autoindex_t_1", "sqlite_autoindex_t_2"])
      #expect(indexes.map(\.columns) == [["c"], ["c", "b"], ["a"], ["b"]])
      #expect(indexes.map(\.isUnique) == [true, false, true, true])
      #expect(
        indexes.map(\.origin)
          == [.createIndex, .createIndex, .primaryKeyConstraint, .uniqueConstraint])
    }
  }

  @Test
  func `foreign keys have the columns that they reference, also when they don't declare them`()
    throws
  {
    try withBookshop { db in
      try db.execute(
        sql: """
          CREATE TABLE loan (id INTEGER PRIMARY KEY, bookId REFERENCES book, shop, isbn, note,
            FOREIGN KEY (shop, isbn) REFERENCES stock,
            FOREIGN KEY (note) REFERENCES note(text))
          """)
      let keys = try db.foreignKeys(on: "Loan").sorted { $0.destinationTable < $1.destinationTable }
      #expect(keys.map(\.destinationTable) == ["book", "note", "stock"])
      #expect(keys.map(\.originColumns) == [["bookId"], ["note"], ["shop", "isbn"]])
      #expect(keys.map(\.destinationColumns) == [["id"], ["text"], ["shop", "isbn"]])
      #expect(Set(keys.map(\.id)) == [0, 1, 2])
    }
  }

  @Test func `a foreign key to a missing table hides no other one`() throws {
    try withBookshop { db in
      try db.execute(
        sql: """
          CREATE TABLE loan (id INTEGER PRIMARY KEY, bookId REFERENCES book,
            oldId REFERENCES legacy, code REFERENCES legacyCode(code))
          """)
      let keys = try db.foreignKeys(on: "loan").sorted { $0.destinationTable < $1.destinationTable }
      #expect(keys.map(\.destinationTable) == ["book", "legacy", "legacyCode"])
      #expect(keys.map(\.originColumns) == [["bookId"], ["oldId"], ["code"]])
      #expect(keys.map(\.destinationColumns) == [["id"], [], ["code"]])
      let loan = try db.schemaDescription().tables.first { $0.name == "loan" }
      #expect(loan?.foreignKeys.map(\.columns) == [["bookId"], ["oldId"], ["code"]])
      #expect(loan?.foreignKeys.map(\.destinationColumns) == [["id"], [], ["code"]])
      try db.execute(sql: "CREATE TABLE legacy (number INTEGER PRIMARY KEY)")
      let columns = try db.foreignKeys(on: "loan").first { $0.destinationTable == "legacy" }?
        .destinationColumns
      #expect(columns == ["number"])
    }
  }

  @Test func `the temporary schema hides the main one, which hides the attached ones`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          ATTACH DATABASE ':memory:' AS "my db";
          CREATE TABLE "my db".t (attached);
          CREATE TABLE "my db".u (id INTEGER PRIMARY KEY);
          CREATE TABLE "my db".v (u REFERENCES u);
          """)
      #expect(try db.columns(in: "t").map(\.name) == ["attached"])
      #expect(try db.foreignKeys(on: "v").map(\.destinationColumns) == [["id"]])
      try db.execute(sql: "CREATE TABLE t (main)")
      #expect(try db.columns(in: "t").map(\.name) == ["main"])
      try db.execute(sql: "CREATE TEMPORARY TABLE t (temporary)")
      #expect(try db.columns(in: "t").map(\.name) == ["temporary"])
      #expect(try db.columns(in: "t", in: "main").map(\.name) == ["main"])
      #expect(try db.columns(in: "t", in: "MY DB").map(\.name) == ["attached"])
      #expect(try db.tableExists("u", in: "my db") && !db.tableExists("u", in: "main"))
      try db.execute(sql: #"DETACH DATABASE "my db""#)
      #expect(try !db.tableExists("u"))
    }
  }

  @Test func `a database may be attached under a keyword of SQL`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          ATTACH DATABASE ':memory:' AS "order";
          CREATE TABLE "order".book (id INTEGER PRIMARY KEY);
          CREATE TABLE "order".line (id INTEGER PRIMARY KEY, bookId REFERENCES book);
          INSERT INTO "order".book VALUES (2);
          INSERT INTO "order".line VALUES (1, 2);
          """)
      #expect(DatabaseSchemaID.attached("order").schemaTableName == #""order".sqlite_master"#)
      #expect(try db.columns(in: "line").map(\.name) == ["id", "bookId"])
      #expect(try Table("order.line").filter(key: 1).fetchOne(db) == ["id": 1, "bookId": 2])
      #expect(try db.foreignKeyViolations(in: "order.line").next() == nil)
    }
  }

  @Test func `names that differ by the case of other letters than the Latin ones are different`()
    throws
  {
    try DatabaseQueue().write { db in
      try db.execute(sql: #"CREATE TABLE "École" (a); CREATE TABLE "école" (b)"#)
      #expect(try db.columns(in: "École").map(\.name) == ["a"])
      #expect(try db.columns(in: "ÉCOLE").map(\.name) == ["a"])
      #expect(try db.columns(in: "école").map(\.name) == ["b"])
    }
  }

  @Test func `an unknown table or schema is an error that names it`() throws {
    try withBookshop { db in
      func message(_ body: () throws -> Any) -> String? {
        do {
          _ = try body()
          return nil
        } catch {
          return (error as? DatabaseError)?.message
        }
      }
      #expect(message { try db.columns(in: "nope") } == "no such table: nope")
      #expect(message { try db.primaryKey("nope") } == "no such table: nope")
      #expect(message { try db.indexes(on: "nope") } == "no such table: nope")
      #expect(message { try db.foreignKeys(on: "nope") } == "no such table: nope")
      #expect(message { try db.foreignKeyViolations(in: "nope") } == "no such table: nope")
      #expect(message { try db.columns(in: "book", in: "temp") } == "no such table: book")
      #expect(message { try db.tableExists("book", in: "nope") } == "no such schema: nope")
      #expect(
        message { try db.primaryKey("bestseller") } == "database view bestseller has no primary key"
      )
    }
  }

  @Test func `names of internal tables are recognised`() {
    #expect(Database.isSQLiteInternalTable("sqlite_master"))
    #expect(Database.isSQLiteInternalTable("pragma_table_info"))
    #expect(!Database.isSQLiteInternalTable("book"))
    #expect(Database.isGRDBInternalTable("grdb_migrations"))
    #expect(!Database.isGRDBInternalTable("book"))
  }
}

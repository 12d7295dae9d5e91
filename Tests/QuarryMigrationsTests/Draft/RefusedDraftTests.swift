import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

struct RefusedDraftTests {
  @Test(arguments: [
    (["writer": "author"], "writer: the old schema has no such table"),
    (
      ["author": "writer"],
      "author: the new schema has this table too: only what it lacks is renamed"
    ),
    (["tag": "label"], "tag: the new schema has no table label"),
    (["tag": "book"], "tag: the old schema has the table book already"),
    (["a.b.c": "x"], "a.b.c: write the name as table.column"),
    (["writer.name": "x"], "writer.name: the old schema has no table writer"),
    (["book.titel": "title"], "book.titel: the table has no column titel"),
    (
      ["book.title": "name"],
      "book.title: the new table has this column too: only what it lacks is renamed"
    ),
    (["book.price": "cost"], "book.price: the new table has no column cost"),
    (["book.price": "title"], "book.price: the old table has the column title already"),
    (
      ["book.price": "cents", "book.prize": "cents"], "book.prize: several columns are to be cents"
    ),
    (["tag.name": "x"], "tag.name: the new schema has no table tag"),
  ])
  func `names that don't fit are refused`(renaming: [String: String], message: String) throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE author (id); CREATE TABLE tag (name);
        CREATE TABLE book (title, price, prize);
        """)
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: queue, toSchema: "CREATE TABLE author (id); CREATE TABLE book (title, cents)",
        renaming: renaming, allowing: .dataLoss)
    }
    #expect(error.description == message)
  }

  @Test(arguments: [
    (["pages": "1"], "pages: write the name as table.column"),
    (["book.pages": "1"], "book.pages: the new schema has no such column"),
    (["book.twice": "1"], "book.twice: the column is generated"),
  ])
  func `values for what is not there are refused`(values: [String: String], message: String) throws
  {
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: DatabaseQueue(), toSchema: "CREATE TABLE book (year, twice AS (year * 2))",
        values: values)
    }
    #expect(error.description == message)
  }

  @Test(arguments: [
    ("coalesce(pages, 0)", "no such column: pages"), ("name", "no such column: name"), ("", ""),
    ("0; DROP TABLE author", ""), ("0 -- all", ""), ("1, 2", ""), ("0) FROM author; SELECT (0", ""),
  ])
  func `values that are no expressions are refused`(sql: String, reason: String) throws {
    let old = """
      CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      INSERT INTO book VALUES (1, 'Emma');
      """
    let new = """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER NOT NULL);
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      """
    let renaming = ["book.name": "title"]
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: makeDatabase(sql: old), toSchema: new, renaming: renaming, values: ["book.pages": sql]
      )
    }
    let text = """
      book.pages: the value `\(sql)` is no SQL expression over the columns of the old table, after \
      they have been renamed:
      """
    #expect(error.description.hasPrefix("\(text) \(reason)"), "\(error)")
    // The renamed column has its new name, and functions may be those of the application.
    _ = try draft(from: old, new, renaming: renaming, values: ["book.pages": "length(title)"])
    _ = try MigrationDraft(
      from: makeDatabase(sql: old), toSchema: new, renaming: renaming,
      values: ["book.pages": "count_of(title)"])
  }

  @Test func `columns that can't be NULL need a value`() throws {
    let new = shop(
      replacing: "year INTEGER,", with: "year INTEGER NOT NULL, pages INTEGER NOT NULL,")
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(from: makeDatabase(sql: shopSQL), toSchema: new)
    }
    #expect(
      error.description == """
        columns that can't be NULL need a value for the rows that exist (values, --value)
        - book.year: 1 rows without value
        - book.pages: 2 rows without value
        """)
    let draft = try draft(
      new, values: ["book.year": "coalesce(year, 1900)", "book.pages": "length(title) * 10"],
      check: { db in
        try #expect(
          Row.fetchAll(db, sql: "SELECT year, pages FROM book") == [
            ["year": 1925, "pages": 90], ["year": 1900, "pages": 100],
          ])
      })
    #expect(
      draft.swift(identifier: "Pages") == #"""
        migrator.registerMigration("Pages") { db in
          try db.drop(view: "recent")
          try db.rebuild(
            table: "book",
            copying: [
              Column("pages").set(to: SQL(sql: "length(title) * 10")),
              Column("year").set(to: SQL(sql: "coalesce(year, 1900)")),
            ]
          ) { t in
            t.primaryKey("id", .integer)
            t.column("title", .text).notNull()
            t.column("year", .integer).notNull()
            t.column("pages", .integer).notNull()
            t.column("authorId", .integer).references("author", column: "id", onDelete: .cascade)
          }
          try db.execute(sql: "CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000")
        }

        """#)
  }

  @Test(arguments: [
    "CREATE TABLE book (isbn INTEGER, CONSTRAINT key PRIMARY KEY (isbn))",
    "CREATE TABLE book (isbn TEXT, CONSTRAINT key PRIMARY KEY (isbn)) WITHOUT ROWID",
  ])
  func `a key by a constraint with the name key needs a value`(new: String) throws {
    let queue = try makeDatabase(
      sql: "CREATE TABLE book (isbn INTEGER); INSERT INTO book VALUES (5), (NULL)")
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(from: queue, toSchema: new)
    }
    #expect(
      error?.description == """
        columns that can't be NULL need a value for the rows that exist (values, --value)
        - book.isbn: 1 rows without value
        """)
  }

  @Test func `values that don't stay the same in another type are counted`() throws {
    let old = """
      CREATE TABLE a (x TEXT, y REAL, z INTEGER);
      INSERT INTO a VALUES ('7', 1, 1), ('007', 0.1, 2), ('one', 9e999, 9007199254740993), (NULL, NULL, NULL);
      """
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: makeDatabase(sql: old), toSchema: "CREATE TABLE a (x INTEGER, y TEXT, z REAL)")
    }
    guard case .dataLoss(let losses) = error else { throw error }
    #expect(
      losses.map(\.description) == [
        "type of a.x: 2 values change", "type of a.y: 1 values change",
        "type of a.z: 1 values change",
      ])
    _ = try draft(from: old, "CREATE TABLE a (x, y NUMERIC, z TEXT)")
  }
}

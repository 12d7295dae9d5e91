import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// The largest integer.
private struct Largest: DatabaseAggregate {
  var value: Int?

  mutating func step(_ dbValues: [DatabaseValue]) {
    value = Int.fromDatabaseValue(dbValues[0]).map { max($0, value ?? $0) } ?? value
  }

  func finalize() -> (any DatabaseValueConvertible)? { value }
}

/// The rows of tables that a draft makes anew.
struct DraftedRowsTests {
  @Test(arguments: ["IGNORE", "REPLACE"])
  func `a constraint that resolves conflicts drops no row`(resolution: String) throws {
    let queue = try makeDatabase(
      sql:
        "CREATE TABLE o (id INTEGER PRIMARY KEY, t TEXT); INSERT INTO o VALUES (1, 'a'), (2, 'a')")
    let draft = try MigrationDraft(
      from: queue,
      toSchema: """
        CREATE TABLE o (id INTEGER PRIMARY KEY, t TEXT UNIQUE ON CONFLICT \(resolution))
        """)
    let error = try #require(throws: DatabaseError.self) { try draft.rehearse(queue) }
    #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
    try queue.write { db throws -> Void in
      _ = #expect(throws: DatabaseError.self) { try db.execute(sql: draft.sql) }
    }
  }

  @Test func `a rehearsal fails if a table loses rows`() throws {
    let queue = try makeDatabase(
      sql: "CREATE TABLE o (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO o VALUES (1, 7), (2, 8)"
    )
    let draft = try MigrationDraft(
      from: queue, toSchema: "CREATE TABLE o (id INTEGER PRIMARY KEY, n INTEGER)",
      values: ["o.n": "largest(n)"])
    // The function is an aggregate where it is known, and makes one row of all.
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: DatabaseFunction("largest", argumentCount: 1, aggregate: Largest.self))
    }
    let copy = try DatabaseQueue(configuration: configuration)
    try queue.backup(to: copy)
    let rehearsal = try draft.rehearse(copy)
    #expect(!rehearsal.isSuccessful)
    #expect(rehearsal.description.hasPrefix("failure in "))
    #expect(rehearsal.description.split(separator: "\n").dropFirst() == ["! o: 2 -> 1 rows"])
  }

  @Test(arguments: [
    "id INTEGER PRIMARY KEY, title TEXT", "title TEXT, id INTEGER, PRIMARY KEY (id)",
  ])
  func `a new integer primary key receives the hidden rowids`(columns: String) throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE book (title TEXT);
        INSERT INTO book VALUES ('The Trial'), ('The Castle'), ('Amerika');
        DELETE FROM book WHERE rowid = 1;
        """)
    let draft = try MigrationDraft(from: queue, toSchema: "CREATE TABLE book (\(columns))")
    try #expect(draft.rehearse(queue).isSuccessful)
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try #expect(
        Row.fetchAll(db, sql: "SELECT id, title FROM book ORDER BY id") == [
          ["id": 2, "title": "The Castle"], ["id": 3, "title": "Amerika"],
        ])
    }
  }

  /// See <https://www.sqlite.org/lang_createtable.html#rowid>.
  @Test(arguments: [
    "INTEGER PRIMARY KEY DESC", "INT PRIMARY KEY", "\"INTEGER\"(5) PRIMARY KEY",
    "\"INTEGER\" serial PRIMARY KEY", "\"INTEGER \" PRIMARY KEY",
  ])
  func `a key that shows no rowids keeps them`(key: String) throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE book (id \(key), title TEXT);
        INSERT INTO book (rowid, id, title) VALUES (5, 1, 'The Trial'), (9, 2, 'The Castle');
        """)
    let draft = try MigrationDraft(
      from: queue, toSchema: "CREATE TABLE book (id \(key), title TEXT UNIQUE)")
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try #expect(
        Row.fetchAll(db, sql: "SELECT rowid AS r, id FROM book ORDER BY id") == [
          ["r": 5, "id": 1], ["r": 9, "id": 2],
        ])
    }
  }

  private func losses(_ old: String, _ new: String) throws -> [String] {
    try MigrationDraft(from: makeDatabase(sql: old), toSchema: new, allowing: .dataLoss)
      .losses.map(\.description)
  }

  @Test func `ANY keeps values in a strict table, and converts them in another`() throws {
    let values = "INSERT INTO a VALUES ('007'), (7), ('one'), (NULL)"
    let (strict, plain) = ("CREATE TABLE a (x ANY) STRICT;", "CREATE TABLE a (x ANY);")
    try #expect(losses("CREATE TABLE a (x);\(values)", strict) == [])
    try #expect(losses(strict + values, "CREATE TABLE a (x)") == [])
    try #expect(losses(plain + values, strict) == [])
    let queue = try makeDatabase(sql: strict + values)
    let draft = try MigrationDraft(from: queue, toSchema: plain, allowing: .dataLoss)
    #expect(draft.losses.map(\.kind) == [.conversion])
    // '007' becomes 7. 'one' stays, and is counted nevertheless.
    #expect(draft.losses.map(\.count) == [2])
  }

  @Test func `numbers in a column of integers may change as texts`() throws {
    let (old, new) = ("CREATE TABLE a (x INTEGER);", "CREATE TABLE a (x TEXT)")
    // Later versions of SQLite write all digits.
    let isExact = try DatabaseQueue().read { db in
      try Bool.fetchOne(
        db, sql: "SELECT CAST(CAST(0.30000000000000004 AS TEXT) AS REAL) = 0.30000000000000004")
    }
    try #expect(
      losses(old + "INSERT INTO a VALUES (1), (0.5), (0.30000000000000004)", new)
        == (isExact == true ? [] : ["type of a.x: 1 values change"]))
    try #expect(losses(old + "INSERT INTO a VALUES (1), (0.5), ('b'), (x'00')", new) == [])
  }

  @Test func `integers that no double has change in a column of doubles`() throws {
    let old = "CREATE TABLE book (isbn INTEGER);"
    let values = """
      INSERT INTO book VALUES (9223372036854775807), (9007199254740993), (9007199254740992)
      """
    try #expect(
      losses(old + values, "CREATE TABLE book (isbn REAL)")
        == ["type of book.isbn: 2 values change"])
  }

  @Test func `values in a column that passes over spaces are compared with them`() throws {
    let old =
      "CREATE TABLE book (pages TEXT COLLATE RTRIM); INSERT INTO book VALUES ('5  '), ('6');"
    try #expect(
      losses(old, "CREATE TABLE book (pages INTEGER COLLATE RTRIM)")
        == ["type of book.pages: 1 values change"])
  }

  @Test(arguments: ["code TEXT PRIMARY KEY, country", "id INTEGER PRIMARY KEY, country"])
  func `rows without rowids and without a column that stays can't be copied`(columns: String) throws
  {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE author (name TEXT PRIMARY KEY) WITHOUT ROWID;
        INSERT INTO author VALUES ('Franz Kafka');
        """)
    let new = "CREATE TABLE author (\(columns))"
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(from: queue, toSchema: new, allowing: .dataLoss)
    }
    #expect(
      error?.description == """
        author: no column of the new table has a value from the old one, so that its rows can't be \
        copied: rename a column (renaming, --rename), or give one a value (values, --value)
        """)
    let draft = try MigrationDraft(
      from: queue, toSchema: new, values: ["author.country": "'CZ'"], allowing: .dataLoss)
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try #expect(String.fetchAll(db, sql: "SELECT country FROM author") == ["CZ"])
    }
  }

  @Test func `rows whose key goes with all other columns can't be copied`() throws {
    let queue = try makeDatabase(
      sql:
        "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO author VALUES (1, 'Mann')"
    )
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: queue, toSchema: "CREATE TABLE author (country TEXT)", allowing: .dataLoss)
    }
    #expect(error?.description.hasPrefix("author: no column of the new table has a value") == true)
  }

  /// The key is the only name of the rowids.
  @Test func `rowids stay where columns have all their names`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE book ("key no" INTEGER PRIMARY KEY, rowid, _rowid_, oid TEXT);
        INSERT INTO book VALUES (2, 'a', 'b', 'c'), (7, 'd', 'e', 'f');
        """)
    let draft = try MigrationDraft(
      from: queue, toSchema: "CREATE TABLE book (\"key no\" INTEGER, oid TEXT)", allowing: .dataLoss
    )
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try #expect(
        Row.fetchAll(db, sql: "SELECT rowid AS number, * FROM book") == [
          ["number": 2, "key no": 2, "oid": "c"], ["number": 7, "key no": 7, "oid": "f"],
        ])
    }
  }

  private static let keyedAuthor = "CREATE TABLE author (name TEXT PRIMARY KEY) WITHOUT ROWID"
  private static let numberedAuthor = "CREATE TABLE author (id INTEGER PRIMARY KEY, country TEXT)"

  @Test func `an empty table of which nothing stays is made anew`() throws {
    let queue = try makeDatabase(sql: Self.keyedAuthor)
    let draft = try MigrationDraft(
      from: queue, toSchema: Self.numberedAuthor, allowing: .dataLoss)
    #expect(
      draft.sql == """
        CREATE TABLE "quarry_new_author" (id INTEGER PRIMARY KEY, country TEXT);
        SELECT abs(-9223372036854775808) AS "no column of author stays, and it has rows" FROM "author";
        DROP TABLE "author";
        ALTER TABLE "quarry_new_author" RENAME TO "author";

        """)
    try #expect(draft.rehearse(queue).isSuccessful)
    try queue.write { try $0.execute(sql: draft.sql) }
    try #expect(MigrationDraft(from: queue, toSchema: Self.numberedAuthor).isEmpty)
  }

  @Test(arguments: ["NULL", "(NULL)", "( ( null ) )"])
  func `a default that is NULL is no value`(value: String) throws {
    let queue = try makeDatabase(
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: queue,
        toSchema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT \(value))")
    }
    #expect(
      error?.description == """
        columns that can't be NULL need a value for the rows that exist (values, --value)
        - t.a: 1 rows without value
        """)
    let nullable = "CREATE TABLE t (id INTEGER PRIMARY KEY, a REFERENCES t DEFAULT \(value))"
    let draft = try MigrationDraft(from: queue, toSchema: nullable)
    try #expect(draft.rehearse(queue).isSuccessful)
    #expect(draft.sql.contains("ADD COLUMN"))
  }

  @Test func `an empty table of which nothing stays needs no values`() throws {
    let new = "CREATE TABLE author (code TEXT PRIMARY KEY, country TEXT NOT NULL) WITHOUT ROWID"
    let queue = try makeDatabase(sql: Self.keyedAuthor)
    let draft = try MigrationDraft(from: queue, toSchema: new, allowing: .dataLoss)
    try #expect(draft.rehearse(queue).isSuccessful)
    try queue.write { try $0.execute(sql: draft.sql) }
    try #expect(MigrationDraft(from: queue, toSchema: new).isEmpty)

    let filled = try makeDatabase(
      sql: "\(Self.keyedAuthor); INSERT INTO author VALUES ('Franz Kafka')")
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(from: filled, toSchema: new, allowing: .dataLoss)
    }
    #expect(
      error?.description == """
        columns that can't be NULL need a value for the rows that exist (values, --value)
        - author.code: 1 rows without value
        - author.country: 1 rows without value
        """)
  }

  @Test func `rows of which nothing stays are not dropped`() throws {
    let draft = try MigrationDraft(
      from: makeDatabase(sql: Self.keyedAuthor), toSchema: Self.numberedAuthor, allowing: .dataLoss)
    let queue = try makeDatabase(
      sql: "\(Self.keyedAuthor); INSERT INTO author VALUES ('Franz Kafka')")
    let error = #expect(throws: DatabaseError.self) {
      try queue.write { try $0.execute(sql: draft.sql) }
    }
    #expect(error?.message == "integer overflow")
    #expect(error?.sql?.contains("no column of author stays, and it has rows") == true)
    try queue.read { db in
      try #expect(String.fetchAll(db, sql: "SELECT name FROM author") == ["Franz Kafka"])
    }
  }

  private static let indexedBook = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
    CREATE VIEW short AS SELECT id, title FROM book WHERE length(title) < 10;
    CREATE VIRTUAL TABLE ft4 USING fts4(content="book", title);
    CREATE VIRTUAL TABLE ft5 USING fts5(title, content='book', content_rowid='id');
    CREATE VIRTUAL TABLE shortIndex USING fts5(title, content=short, content_rowid=id);
    CREATE TRIGGER book_au AFTER UPDATE ON book BEGIN
      INSERT INTO ft5(ft5, rowid, title) VALUES ('delete', old.id, old.title);
      INSERT INTO ft5(rowid, title) VALUES (new.id, new.title);
    END;
    CREATE VIRTUAL TABLE own USING fts5(title, content='');

    """

  @Test(.needs(.fullText))
  func `a new full-text table over a table or view has its rows`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
        INSERT INTO book VALUES (1, 'The Trial'), (2, 'The Castle');
        """)
    let draft = try MigrationDraft(from: queue, toSchema: Self.indexedBook)
    let rebuilds = """
      INSERT INTO "ft4"("ft4") VALUES ('rebuild');
      INSERT INTO "ft5"("ft5") VALUES ('rebuild');
      INSERT INTO "shortIndex"("shortIndex") VALUES ('rebuild');

      """
    #expect(draft.sql.hasSuffix("END;\n\(rebuilds)"), "\(draft.sql)")
    #expect(
      draft.swift(identifier: "T").hasSuffix(
        #"""
          try db.execute(sql: "INSERT INTO \"ft4\"(\"ft4\") VALUES ('rebuild')")
          try db.execute(sql: "INSERT INTO \"ft5\"(\"ft5\") VALUES ('rebuild')")
          try db.execute(sql: "INSERT INTO \"shortIndex\"(\"shortIndex\") VALUES ('rebuild')")
        }

        """#))
    try queue.write { db in
      try db.execute(sql: draft.sql)
      for (index, rows) in [("ft4", [1, 2]), ("ft5", [1, 2]), ("shortIndex", [1])] {
        let sql = "SELECT rowid FROM \(index) WHERE \(index) MATCH 'the' ORDER BY rowid"
        try #expect(Int.fetchAll(db, sql: sql) == rows, "\(index)")
      }
      try db.execute(sql: "UPDATE book SET title = 'Amerika' WHERE id = 1")
      try #expect(Int.fetchAll(db, sql: "SELECT rowid FROM ft5 WHERE ft5 MATCH 'the'") == [2])
    }
    // A table that is new has no rows.
    let first = try MigrationDraft(from: DatabaseQueue(), toSchema: Self.indexedBook)
    #expect(!first.sql.contains("INSERT INTO \"ft5\""))
  }

  @Test(.needs(.fullText))
  func `a full-text table with columns that the table lacks is not indexed`() throws {
    let queue = try makeDatabase(
      sql:
        "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO book VALUES (1, 'Emma')"
    )
    let draft = try MigrationDraft(
      from: queue,
      toSchema: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
        CREATE VIRTUAL TABLE ft USING fts5(title, author, content='book', content_rowid='id')
        """)
    #expect(!draft.sql.contains("INSERT"))
    try queue.write { db in try db.execute(sql: draft.sql) }
  }

  @Test(.needs(.fullText))
  func `rows that a draft gives other rowids or texts are indexed anew`() throws {
    let index = "CREATE VIRTUAL TABLE ft USING fts5(title, content='Book');"
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE book (id INT PRIMARY KEY NOT NULL, title TEXT);
        INSERT INTO book VALUES (2, 'hello'), (1, 'world');
        \(index) INSERT INTO ft(ft) VALUES ('rebuild');
        """)
    let rebuild = "INSERT INTO \"ft\"(\"ft\") VALUES ('rebuild');\n"
    let (key, unique) = ("id INTEGER PRIMARY KEY", "id INT PRIMARY KEY NOT NULL")
    let schemas: [(columns: String, values: [String: String], isIndexed: Bool)] = [
      ("\(unique), title TEXT UNIQUE)", [:], false),
      ("\(unique), title TEXT UNIQUE)", ["book.title": "upper(title)"], true),
      ("\(key), title TEXT)", [:], true), ("\(unique), title TEXT) WITHOUT ROWID", [:], true),
    ]
    for (columns, values, isIndexed) in schemas {
      let draft = try MigrationDraft(
        from: queue, toSchema: "CREATE TABLE book (\(columns); \(index)", values: values)
      #expect(draft.sql.hasSuffix(rebuild) == isIndexed, "\(draft.sql)")
    }
    let draft = try MigrationDraft(
      from: queue, toSchema: "CREATE TABLE book (\(key), title TEXT); \(index)")
    try queue.write { db in
      try db.execute(sql: draft.sql)
      let sql = "SELECT rowid, title FROM ft WHERE ft MATCH 'hello'"
      try #expect(Row.fetchAll(db, sql: sql) == [["rowid": 2, "title": "hello"]])
    }
  }

  @Test func `AUTOINCREMENT goes on in a table whose name has another case`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE Book (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT);
        INSERT INTO Book (title) VALUES ('The Trial'), ('The Castle'), ('Amerika');
        DELETE FROM Book WHERE id = 3;
        """)
    let draft = try MigrationDraft(
      from: queue,
      toSchema: "CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT UNIQUE)")
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try db.execute(sql: "INSERT INTO book (title) VALUES ('Letters')")
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book ORDER BY id") == [1, 2, 4])
    }
  }

  /// As DB Browser for SQLite writes it.
  @Test func `the AUTOINCREMENT of a table constraint goes on`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE t ("id" INTEGER, a, PRIMARY KEY ("id" AUTOINCREMENT));
        INSERT INTO t (a) VALUES (1), (2), (3);
        DELETE FROM t WHERE id = 3;
        """)
    let draft = try MigrationDraft(
      from: queue,
      toSchema: #"CREATE TABLE t ("id" INTEGER, a UNIQUE, PRIMARY KEY ("id" AUTOINCREMENT))"#)
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try db.execute(sql: "INSERT INTO t (a) VALUES (4)")
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM t ORDER BY id") == [1, 2, 4])
    }
  }

  @Test func `AUTOINCREMENT goes on after the largest key that a value gives`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT);
        INSERT INTO book VALUES (1, 'Emma');
        """)
    let draft = try MigrationDraft(
      from: queue,
      toSchema: "CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT UNIQUE)",
      values: ["book.id": "id + 100"])
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try db.execute(sql: "DELETE FROM book; INSERT INTO book (title) VALUES ('Persuasion')")
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book") == [102])
    }
  }

  @Test func `an aggregate is no value`() throws {
    let queue = try makeDatabase(
      sql:
        "CREATE TABLE book (id INTEGER PRIMARY KEY, price); INSERT INTO book VALUES (1, 10), (2, NULL)"
    )
    func draft(_ value: String) throws -> MigrationDraft {
      try MigrationDraft(
        from: queue, toSchema: "CREATE TABLE book (id INTEGER PRIMARY KEY, price NOT NULL)",
        values: ["book.price": value])
    }
    let error = #expect(throws: MigrationDraftError.self) {
      try draft("coalesce(price, avg(price))")
    }
    #expect(
      error
        == .invalidValue(
          "book.price", sql: "coalesce(price, avg(price))",
          reason: "it is an aggregate, which makes one row of all: write a subquery"))
    for value in ["coalesce(price, avg(price) OVER ())", "(SELECT avg(price) FROM book)"] {
      try #expect(draft(value).rehearse(queue).isSuccessful)
    }
  }

  @Test func `a value that is NULL is no key`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, number INTEGER);
        INSERT INTO book VALUES (2, 20), (3, NULL);
        """)
    let draft = try MigrationDraft(
      from: queue, toSchema: "CREATE TABLE book (id INTEGER PRIMARY KEY, number INTEGER)",
      values: ["book.id": "number"])
    let error = #expect(throws: DatabaseError.self) { try draft.rehearse(queue) }
    #expect(error?.resultCode == .SQLITE_MISMATCH)
    try queue.write { try $0.execute(sql: "UPDATE book SET number = id * 10") }
    try #expect(draft.rehearse(queue).isSuccessful)
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book") == [20, 30])
    }
  }

  @Test func `a column with NULL needs values to become the key`() throws {
    let old = "CREATE TABLE book (id INTEGER PRIMARY KEY, number INTEGER);"
    let new = "CREATE TABLE book (id INTEGER, number INTEGER PRIMARY KEY)"
    let queue = try makeDatabase(sql: old + "INSERT INTO book VALUES (1, 10), (2, NULL)")
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(from: queue, toSchema: new)
    }
    #expect(error?.description.hasSuffix("- book.number: 1 rows without value") == true)
    let draft = try MigrationDraft(from: makeDatabase(sql: old), toSchema: new)
    #expect(
      draft.sql.contains(
        #"("id", "number") SELECT "id", coalesce("number", 'no key') FROM "book""#))
    let copyError = #expect(throws: DatabaseError.self) { try draft.rehearse(queue) }
    #expect(copyError?.resultCode == .SQLITE_MISMATCH)
    let keyed = try makeDatabase(sql: old + "INSERT INTO book VALUES (1, 10), (2, 20)")
    try keyed.write { db in
      try db.execute(sql: draft.sql)
      try #expect(
        Row.fetchAll(db, sql: "SELECT * FROM book")
          == [["id": 1, "number": 10], ["id": 2, "number": 20]])
    }
  }

  @Test(
    .needs(.fullText),
    arguments: [
      ("title TEXT NOT NULL", "SELECT id, title FROM book", "replace(title, 'Emma', 'Susan')"),
      ("title TEXT", "SELECT id, replace(title, 'Emma', 'Susan') AS title FROM book", nil),
    ] as [(String, String, String?)])
  func `full-text tables over views that are created again are indexed anew`(
    column: String, view: String, value: String?
  ) throws {
    func schema(_ column: String, _ view: String) -> String {
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, \(column));
      CREATE VIEW v AS \(view);
      CREATE VIEW short AS SELECT id, title FROM v WHERE length(title) < 10;
      CREATE VIRTUAL TABLE ft USING fts5(title, content='short', content_rowid='id');

      """
    }
    let queue = try makeDatabase(
      sql: schema("title TEXT", "SELECT id, title FROM book") + """
        INSERT INTO book VALUES (1, 'Emma'), (2, 'Persuasion');
        INSERT INTO ft(ft) VALUES ('rebuild');
        """)
    let draft = try MigrationDraft(
      from: queue, toSchema: schema(column, view),
      values: value.map { ["book.title": $0] } ?? [:])
    try #expect(draft.rehearse(queue).isSuccessful)
    try queue.write { db in
      try db.execute(sql: draft.sql)
      let sql = "SELECT rowid FROM ft WHERE ft MATCH ?"
      try #expect(Int.fetchAll(db, sql: sql, arguments: ["emma"]) == [])
      try #expect(Int.fetchAll(db, sql: sql, arguments: ["susan"]) == [1])
    }
  }

  @Test(.needs(.fullText)) func `a full-text table that is made anew keeps its settings`() throws {
    func schema(_ column: String) -> String {
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, \(column) TEXT);
      CREATE VIRTUAL TABLE ft USING fts5(\(column), content='book', content_rowid='id');

      """
    }
    let queue = try makeDatabase(
      sql: schema("name") + """
        INSERT INTO book VALUES (1, 'Emma');
        INSERT INTO ft(ft, rank) VALUES ('rank', 'bm25(10.0)'), ('automerge', 2);
        INSERT INTO ft(ft) VALUES ('rebuild');
        """)
    let draft = try MigrationDraft(
      from: queue, toSchema: schema("title"), renaming: ["book.name": "title"])
    #expect(
      draft.sql == """
        DROP TABLE "ft";
        ALTER TABLE "book" RENAME COLUMN "name" TO "title";
        CREATE VIRTUAL TABLE ft USING fts5(title, content='book', content_rowid='id');
        INSERT INTO "ft"("ft", rank) VALUES ('automerge', 2);
        INSERT INTO "ft"("ft", rank) VALUES ('rank', 'bm25(10.0)');
        INSERT INTO "ft"("ft") VALUES ('rebuild');

        """)
    #expect(
      draft.swift(identifier: "Titles").contains(
        #"try db.execute(sql: "INSERT INTO \"ft\"(\"ft\", rank) VALUES ('automerge', 2)")"#))
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try #expect(
        Row.fetchAll(db, sql: "SELECT k, v FROM ft_config WHERE k <> 'version' ORDER BY k")
          == [["k": "automerge", "v": 2], ["k": "rank", "v": "bm25(10.0)"]])
      try #expect(Int.fetchAll(db, sql: "SELECT rowid FROM ft WHERE ft MATCH 'emma'") == [1])
    }
  }
}

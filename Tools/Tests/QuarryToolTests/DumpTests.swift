import Foundation
import Quarry
import Testing

struct DumpTests {
  @Test func `tables are dumped in the formats of the library`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      try #expect(
        Tool.quarry("dump", path, "author", "--format", "debug").output
          == "1|Flann O'Brien|IE\n2|Clarice Lispector|BR\n")
      try #expect(
        Tool.quarry("dump", path, "cheap", "--format", "json").output
          == "[{\"title\":\"The Third Policeman\",\"price\":9.5}]\n")
      try #expect(
        Tool.quarry("dump", path, "--schema", "--format", "debug").lines.first == "sqlite_master")
    }
  }

  @Test func `a dump is SQL unless told otherwise`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      try #expect(
        Tool.quarry("dump", path, "author").output == """
          PRAGMA foreign_keys = OFF;
          BEGIN;
          CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT DEFAULT 'IE');
          INSERT INTO "author" ("id", "name", "country") VALUES (1, 'Flann O''Brien', 'IE');
          INSERT INTO "author" ("id", "name", "country") VALUES (2, 'Clarice Lispector', 'BR');
          COMMIT;

          """)
      let schema = try Tool.quarry("dump", path, "--schema")
      #expect(schema.lines.filter { $0.hasPrefix("CREATE") }.count == 4)
      #expect(!schema.output.contains("INSERT"))
    }
  }

  @Test func `a table that is not there is named`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("dump", path, "bok")
      #expect(run.errors == "quarry: \(path): no such table or view: bok\n")
      #expect(run.code == 2)
    }
  }

  /// Tables with `AUTOINCREMENT` that are gone, and leave `sqlite_sequence` behind.
  private static let dropped = [
    "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE a; CREATE TABLE b (x);",
    """
    CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);
    INSERT INTO sqlite_sequence VALUES ('none', 4), ('b', 5);
    DROP TABLE a;
    CREATE TABLE b (x);
    """,
  ]

  @Test(arguments: [Schemas.shop, Schemas.odd, ""] + dropped)
  func `the SQL of a dump makes the same database`(schema: String) throws {
    try withScratch { scratch in
      let path = try scratch.database("one.sqlite", schema)
      let dump = try Tool.quarry("dump", path)
      #expect(dump.errors == "")
      let copy = try scratch.database("two.sqlite", dump.output)
      try #expect(
        Tool.quarry("diff", path, copy) == Run(output: "", errors: "", code: 0))
      // Rowids, the numbers of AUTOINCREMENT and full-text indexes are the same, too.
      try #expect(Tool.quarry("dump", copy, "--format", "sql").output == dump.output)
    }
  }

  @Test func `a quote before a combining character is doubled`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "one.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES ('it''\u{301}s \"\u{301}')")
      let dump = try Tool.quarry("dump", path)
      #expect(
        dump.lines.contains(
          "INSERT INTO \"t\" (rowid, \"a\") VALUES (1, 'it''\u{301}s \"\u{301}');"))
      let copy = try scratch.database("two.sqlite", dump.output)
      try #expect(
        Tool.quarry("diff", path, copy) == Run(output: "", errors: "", code: 0))
      let csv = try Tool.quarry("export", path, "t", "--format", "csv")
      #expect(csv.output.utf8.elementsEqual("a\n\"it'\u{301}s \"\"\u{301}\"\n".utf8))
    }
  }

  @Test func `the full-text index of another table is built again`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "notes.sqlite",
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
        CREATE VIRTUAL TABLE search USING fts5(body, content='note', content_rowid='id');
        INSERT INTO note VALUES (4, 'quick fox');
        INSERT INTO search(search) VALUES ('rebuild');
        """)
      let copy = try scratch.database(
        "copy.sqlite", try Tool.quarry("dump", path).output)
      let queue = try DatabaseQueue(path: copy)
      let id = try queue.read { db in
        try Int.fetchOne(db, sql: "SELECT rowid FROM search WHERE search MATCH 'fox'")
      }
      #expect(id == 4)
    }
  }

  @Test func `FTS5 tables keep their settings`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "notes.sqlite",
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
        CREATE VIRTUAL TABLE search USING fts5(title, body);
        CREATE VIRTUAL TABLE "note search" USING fts5(body, content='note', content_rowid='id');
        INSERT INTO search(search, rank) VALUES ('rank', 'bm25(10.0,5.0)'), ('pgsz', 64);
        INSERT INTO "note search"("note search", rank) VALUES ('automerge', 8);
        INSERT INTO search(rowid, title, body) VALUES (4, 'quick fox', 'lazy dogs');
        """)
      let dump = try Tool.quarry("dump", path)
      #expect(dump.errors == "")
      #expect(
        dump.lines.filter { $0.hasPrefix("INSERT") } == [
          "INSERT INTO \"note search\" (\"note search\", rank) VALUES ('automerge', 8);",
          "INSERT INTO \"search\" (\"search\", rank) VALUES ('pgsz', 64);",
          "INSERT INTO \"search\" (\"search\", rank) VALUES ('rank', 'bm25(10.0,5.0)');",
          "INSERT INTO \"search\" (rowid, \"title\", \"body\") VALUES (4, 'quick fox', 'lazy dogs');",
          "INSERT INTO \"note search\" (\"note search\") VALUES ('rebuild');",
        ])
      let copy = try scratch.database("copy.sqlite", dump.output)
      let sql = "SELECT k, v FROM search_config WHERE k <> 'version' ORDER BY k"
      try #expect(
        Tool.quarry("query", copy, sql, "--format", "csv").output
          == "k,v\npgsz,64\nrank,\"bm25(10.0,5.0)\"\n")
      try #expect(Tool.quarry("dump", copy).output == dump.output)
      try #expect(!Tool.quarry("dump", path, "--schema").output.contains("INSERT"))
    }
  }

  @Test func `rows of full-text tables keep their languages`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "notes.sqlite",
        """
        CREATE VIRTUAL TABLE note USING fts4(body, languageid="lid");
        CREATE VIRTUAL TABLE plain USING fts4(body);
        INSERT INTO note (docid, body, lid) VALUES (4, 'quick fox', 2);
        INSERT INTO plain (docid, body) VALUES (5, 'lazy dogs');
        """)
      let dump = try Tool.quarry("dump", path)
      let insertions = dump.lines.filter { $0.hasPrefix("INSERT") }
      #expect(
        insertions == [
          "INSERT INTO \"note\" (rowid, \"body\", \"lid\") VALUES (4, 'quick fox', 2);",
          "INSERT INTO \"plain\" (rowid, \"body\") VALUES (5, 'lazy dogs');",
        ])
      let queue = try DatabaseQueue(path: scratch.database("copy.sqlite", dump.output))
      let ids = try queue.read { db in
        try Int.fetchAll(db, sql: "SELECT docid FROM note WHERE note MATCH 'fox' AND lid = 2")
      }
      #expect(ids == [4])
    }
  }

  @Test func `full-text tables come after all that they read`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "books.sqlite",
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
        CREATE VIEW heading AS SELECT id, upper(title) AS title FROM book;
        CREATE VIRTUAL TABLE articleSearch USING fts5(title, content='book', content_rowid='id');
        CREATE VIRTUAL TABLE headingSearch USING fts5(title, content=heading, content_rowid=id);
        CREATE VIRTUAL TABLE word USING fts5vocab(articleSearch, row);
        INSERT INTO book VALUES (4, 'quick fox');
        INSERT INTO articleSearch(articleSearch) VALUES ('rebuild');
        INSERT INTO headingSearch(headingSearch) VALUES ('rebuild');
        """)
      let dump = try Tool.quarry("dump", path)
      #expect(dump.errors == "")
      let queue = try DatabaseQueue(path: scratch.database("copy.sqlite", dump.output))
      let ids = try queue.read { db in
        try Int.fetchAll(
          db,
          sql: """
            SELECT rowid FROM articleSearch WHERE articleSearch MATCH 'fox'
            UNION ALL SELECT rowid FROM headingSearch WHERE headingSearch MATCH 'fox'
            """)
      }
      #expect(ids == [4, 4])
      let words = try queue.read { db in
        try String.fetchAll(db, sql: "SELECT term FROM word ORDER BY term")
      }
      #expect(words == ["fox", "quick"])
    }
  }

  @Test(arguments: ["''", "\"\""])
  func `full-text tables without texts stay empty, and are named`(content: String) throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "notes.sqlite",
        """
        CREATE TABLE note (content TEXT CHECK (content <> ''));
        CREATE VIRTUAL TABLE search USING fts5(body, content = \(content));
        INSERT INTO note VALUES ('lazy dogs');
        INSERT INTO search(rowid, body) VALUES (4, 'quick fox');
        """)
      let dump = try Tool.quarry("dump", path)
      #expect(
        dump.errors == "quarry: search: without its rows: with content='', texts are not stored\n")
      #expect(dump.code == 0)
      let queue = try DatabaseQueue(path: scratch.database("copy.sqlite", dump.output))
      let counts = try queue.read { db in
        try Int.fetchAll(
          db, sql: "SELECT COUNT(*) FROM note UNION ALL SELECT COUNT(*) FROM search")
      }
      #expect(counts == [1, 0])
    }
  }

  @Test func `a comment does not hide the end of its statement`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "one.sqlite",
        """
        CREATE TABLE t (a);
        INSERT INTO t VALUES (1);
        CREATE VIEW v AS SELECT a FROM t -- note
        ;
        CREATE VIEW w AS SELECT a FROM t /* open
        """)
      let dump = try Tool.quarry("dump", path)
      #expect(
        dump.output == """
          PRAGMA foreign_keys = OFF;
          BEGIN;
          CREATE TABLE t (a);
          INSERT INTO "t" (rowid, "a") VALUES (1, 1);
          CREATE VIEW v AS SELECT a FROM t -- note
          ;
          CREATE VIEW w AS SELECT a FROM t /* open*/;
          COMMIT;

          """)
      let queue = try DatabaseQueue(path: scratch.database("two.sqlite", dump.output))
      let values = try queue.read { db in
        try Int.fetchAll(db, sql: "SELECT a FROM v UNION ALL SELECT a FROM w")
      }
      #expect(values == [1, 1])
    }
  }

  /// SQLite 3.40 reads the shortest digits of these numbers as their neighbors.
  @Test func `numbers are the same to their last bit`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "one.sqlite",
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a, b REAL);
        INSERT INTO t SELECT NULL, -n / 8796093022208.0, n / 8796093022208.0 FROM (
          SELECT 7335529360955133 AS n UNION ALL SELECT 6833866062719615
          UNION ALL SELECT 6788533247658289 UNION ALL SELECT 6711473521058793);
        """)
      let dump = try Tool.quarry("dump", path)
      let copy = try scratch.database("two.sqlite", dump.output)
      try #expect(
        Tool.quarry("diff", path, copy) == Run(output: "", errors: "", code: 0))
    }
  }
}

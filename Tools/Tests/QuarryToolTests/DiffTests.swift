import Testing

struct DiffTests {
  private func diff(_ old: String, _ new: String, _ options: String...) throws -> Run {
    var result = Run(output: "", errors: "", code: -1)
    try withScratch { scratch in
      let paths = try [scratch.database("a.sqlite", old), scratch.database("b.sqlite", new)]
      result = try Tool.run(Tool.url("quarry"), ["diff"] + paths + options)
    }
    return result
  }

  @Test(arguments: [Schemas.shop, Schemas.odd, ""])
  func `a database does not differ from its twin`(schema: String) throws {
    try #expect(diff(schema, schema) == Run(output: "", errors: "", code: 0))
  }

  @Test func `rows are compared by key`() throws {
    let run = try diff(
      Schemas.shop,
      Schemas.shop + """
        UPDATE book SET price = 10, year = '1968' WHERE id = 1;
        DELETE FROM book WHERE id = 2;
        INSERT INTO book VALUES (9, 2, 'Perto', 1943, 8);
        """)
    #expect(
      run.lines == [
        "- book id=2 authorId=1 title=At Swim-Two-Birds year=1939 price=12.0",
        "+ book id=9 authorId=2 title=Perto year=1943 price=8.0",
        "~ book id=1: year: 1967 -> 1968, price: 9.5 -> 10.0",
        "book: - 1 row, + 1 row, ~ 1 row",
      ])
    #expect(run.code == 1)
  }

  @Test func `values of another type differ`() throws {
    let run = try diff(
      "CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY, v); INSERT INTO t VALUES ('a', 1), ('b', 'x');",
      "CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY, v); INSERT INTO t VALUES ('A', 1), ('b', x'78');"
    )
    #expect(
      run.lines == [
        "~ t k=a: k: a -> A", "~ t k=b: v: x -> X'78'", "t: - 0 rows, + 0 rows, ~ 2 rows",
      ])
  }

  @Test func `rows without key are compared with their number`() throws {
    let run = try diff(
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (1, 'x'), (2, NULL);",
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (2, NULL), (1, 'x');")
    #expect(
      run.lines == [
        "- t a=1 b=x (times)=2", "+ t a=1 b=x (times)=1", "t: - 1 row, + 1 row, ~ 0 rows",
      ])
  }

  @Test func `rows without key are compared by type and bytes`() throws {
    let table = "CREATE TABLE t (n TEXT COLLATE NOCASE, v);"
    let run = try diff(
      table + "INSERT INTO t VALUES ('ABC', 1), ('x', 1), ('y', NULL);",
      table + "INSERT INTO t VALUES ('abc', 1), ('x', 1.0), ('y', NULL);")
    #expect(
      run.lines == [
        "- t n=ABC v=1 (times)=1", "- t n=x v=1 (times)=1", "+ t n=abc v=1 (times)=1",
        "+ t n=x v=1.0 (times)=1", "t: - 2 rows, + 2 rows, ~ 0 rows",
      ])
    #expect(run.code == 1)
  }

  @Test func `rows with NULL in their key are compared as rows without key`() throws {
    let table =
      "CREATE TABLE loan (book TEXT, reader TEXT, days INTEGER, PRIMARY KEY (book, reader));"
    let rows = "INSERT INTO loan VALUES ('a', NULL, 1), ('a', NULL, 2), ('a', 'x', 1);"
    try #expect(diff(table + rows, table + rows) == Run(output: "", errors: "", code: 0))
    let run = try diff(
      table + rows + "INSERT INTO loan VALUES (NULL, NULL, 3), (NULL, NULL, 3), ('b', 'x', 1);",
      table + rows
        + "INSERT INTO loan VALUES (NULL, NULL, 3); UPDATE loan SET days = 5 WHERE reader = 'x';")
    #expect(
      run.lines == [
        "- loan book=b reader=x days=1", "- loan book=NULL reader=NULL days=3 (times)=2",
        "+ loan book=NULL reader=NULL days=3 (times)=1", "~ loan book=a reader=x: days: 1 -> 5",
        "loan: - 2 rows, + 1 row, ~ 1 row",
      ])
    #expect(run.code == 1)
  }

  @Test func `white space is compared in texts and names alone`() throws {
    let run = try diff(
      "CREATE TABLE a (x TEXT DEFAULT 'a  b'); CREATE TABLE b (y TEXT DEFAULT 'a b');",
      "CREATE TABLE a (x TEXT DEFAULT 'a b'); CREATE TABLE b (y  TEXT\nDEFAULT 'a b');",
      "--schema")
    #expect(
      run.lines == [
        "~ table a", "  - x TEXT DEFAULT 'a  b'", "  + x TEXT DEFAULT 'a b'",
      ])
    let table = "CREATE TABLE a (x);"
    let trigger = "CREATE TRIGGER t DELETE ON a BEGIN SELECT 1; -- one"
    try #expect(
      diff(
        table + trigger + "\nSELECT  2; /* a b */ END;",
        table + trigger + " \r\n SELECT 2; /* a\n b */ END;")
        == Run(output: "", errors: "", code: 0))
    try #expect(
      diff(
        table + trigger + "\nSELECT 2; SELECT 3; END;",
        table + trigger + " SELECT 2;\nSELECT 3; END;", "--schema"
      ).lines == [
        "~ trigger t on a",
        "  - CREATE TRIGGER t DELETE ON a BEGIN SELECT 1; -- one\\nSELECT 2; SELECT 3; END",
        "  + CREATE TRIGGER t DELETE ON a BEGIN SELECT 1; -- one SELECT 2;\\nSELECT 3; END",
      ])
  }

  @Test func `schemas are compared by object and column`() throws {
    let run = try diff(
      "CREATE TABLE a (x INTEGER); CREATE TABLE b (y TEXT, z); CREATE INDEX i ON b (y);",
      "CREATE TABLE b (y TEXT NOT NULL,\n  w REAL); CREATE VIEW v AS SELECT 1; CREATE INDEX i  ON b (y);",
      "--schema")
    #expect(
      run.lines == [
        "- table a", "~ table b", "  - y TEXT", "  + y TEXT NOT NULL", "  - z", "  + w REAL",
        "+ view v",
      ])
    #expect(run.code == 1)
  }

  @Test func `indexes and triggers are named with their table`() throws {
    let table = "CREATE TABLE book (title TEXT, year INTEGER);"
    let run = try diff(
      table + """
        CREATE UNIQUE INDEX old ON book (title);
        CREATE INDEX recent ON book (year) WHERE year > 1990;
        CREATE TRIGGER t AFTER DELETE ON book BEGIN SELECT 1; END;
        """,
      table + """
        CREATE INDEX ix ON book (year, lower(title));
        CREATE INDEX recent ON book (year) WHERE year > 2000;
        """, "--schema")
    #expect(
      run.lines == [
        "+ index ix on book (year, expression)", "- index old on book (title), unique",
        "~ index recent on book (year), partial",
        "  - CREATE INDEX recent ON book (year) WHERE year > 1990",
        "  + CREATE INDEX recent ON book (year) WHERE year > 2000", "- trigger t on book",
      ])
  }

  @Test func `a table that differs outside of its columns is shown as SQL`() throws {
    let run = try diff(
      "CREATE TABLE book (year INTEGER);", "CREATE TABLE book (year INTEGER CHECK (year > 0));")
    #expect(
      run.lines == [
        "~ table book", "  - CREATE TABLE book (year INTEGER)",
        "  + CREATE TABLE book (year INTEGER CHECK (year > 0))",
      ])
  }

  /// Of the names, one has an `é`, the other an `e` with an accent: Swift takes them for equal.
  @Test func `names are compared byte by byte`() throws {
    let (short, long) = ("caf\u{E9}", "cafe\u{301}")
    let both = """
      CREATE TABLE "\(short)" (id INTEGER PRIMARY KEY, a INTEGER);
      CREATE TABLE "\(long)" (id INTEGER PRIMARY KEY, b TEXT);
      INSERT INTO "\(short)" VALUES (1, 2);
      INSERT INTO "\(long)" VALUES (1, 'x'), (2, 'y');
      """
    try #expect(diff(both, both) == Run(output: "", errors: "", code: 0))
    let schema = try diff(both, both + "DROP TABLE \"\(long)\";", "--schema")
    #expect(schema.lines.map { Array($0.utf8) } == [Array("- table \(long)".utf8)])
    let rows = try diff(both, both + "UPDATE \"\(long)\" SET b = 'z' WHERE id = 2;")
    #expect(
      rows.lines.map { Array($0.utf8) }
        == ["~ \(long) id=2: b: y -> z", "\(long): - 0 rows, + 0 rows, ~ 1 row"]
        .map { Array($0.utf8) })
  }

  @Test func `the number of rows that are shown is limited`() throws {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY);"
    let run = try diff(
      schema,
      schema
        + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO t SELECT i FROM n;",
      "--limit", "2")
    #expect(run.lines == ["+ t id=1", "+ t id=2", "t: - 0 rows, + 500 rows, ~ 0 rows"])
  }

  @Test func `the second file is named, too, when it is missing`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("diff", path, scratch / "none.sqlite")
      #expect(run.errors == "quarry: \(scratch / "none.sqlite"): no such file\n")
      #expect(run.code == 2)
    }
  }
}

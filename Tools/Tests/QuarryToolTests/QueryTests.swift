import Foundation
import Quarry
import Testing

struct QueryTests {
  private func query(
    _ sql: String, _ options: String..., schema: String = Schemas.shop
  ) throws -> Run {
    var result = Run(output: "", errors: "", code: -1)
    try withScratch { scratch in
      let path = try scratch.database("some.sqlite", schema)
      result = try Tool.run(Tool.url("quarry"), ["query", path, sql] + options)
    }
    return result
  }

  @Test func `rows are shown in a box`() throws {
    try #expect(
      query("SELECT title, year, price FROM book ORDER BY id").output == """
        ┌─────────────────────┬──────┬───────┐
        │ title               │ year │ price │
        ├─────────────────────┼──────┼───────┤
        │ The Third Policeman │ 1967 │   9.5 │
        │ At Swim-Two-Birds   │ 1939 │  12.0 │
        │ Água Viva           │ 1973 │ NULL  │
        └─────────────────────┴──────┴───────┘
        3 rows

        """)
  }

  @Test func `a box is aligned with wide characters, and without characters that move the cursor`()
    throws
  {
    let sql =
      "SELECT '📚' AS a, '日本' AS b, 'e' || char(769) AS c, char(27) || '[2J' || char(10) AS d"
    try #expect(
      query(sql).output == """
        ┌────┬──────┬───┬─────────────┐
        │ a  │ b    │ c │ d           │
        ├────┼──────┼───┼─────────────┤
        │ 📚 │ 日本 │ e\u{301} │ \\u{1b}[2J\\n │
        └────┴──────┴───┴─────────────┘
        1 row

        """)
  }

  @Test func `wide columns are cut, unless told otherwise`() throws {
    let sql = "SELECT 'abcdefghij' AS a"
    try #expect(query(sql, "--width", "5").lines[3] == "│ abcd… │")
    try #expect(query(sql, "--width", "0").lines[3] == "│ abcdefghij │")
  }

  @Test func `rows are written as CSV`() throws {
    let sql = "SELECT a, b, c FROM misc UNION ALL SELECT 'x,y', 'say \"hi\"', NULL"
    try #expect(
      query(sql, "--format", "csv", schema: Schemas.odd).output == """
        a,b,c
        1,one,X'01FF'
        two,A\u{FFFD}B,X''
        X'00',nul\0end,
        "x,y","say ""hi""\",

        """)
  }

  @Test func `repaired texts are mentioned`() throws {
    let run = try query("SELECT b FROM misc", "--format", "csv", schema: Schemas.odd)
    #expect(run.errors == "quarry: 1 text not in UTF-8: wrong bytes are written as U+FFFD\n")
    #expect(run.code == 0)
  }

  @Test func `an empty text and NULL are different in CSV`() throws {
    try #expect(query("SELECT '' AS a, NULL AS b", "--format", "csv").output == "a,b\n\"\",\n")
    try #expect(
      query("SELECT '-' AS a, NULL AS b", "--format", "csv", "--null", "-").output
        == "a,b\n\"-\",-\n")
  }

  @Test func `rows are written as JSON`() throws {
    let sql =
      "SELECT 1 AS \"a\"\"\", 9223372036854775807 AS b, 0.1 AS c, 'x' || char(10) || '\\\"' AS d, x'01' AS e, NULL AS f"
    let json =
      "{\"a\\\"\":1,\"b\":9223372036854775807,\"c\":0.1,\"d\":\"x\\n\\\\\\\"\",\"e\":{\"base64\":\"AQ==\"},\"f\":null}"
    try #expect(query(sql, "--format", "json").output == "[\(json)]\n")
    try #expect(query(sql, "--format", "jsonl").output == "\(json)\n")
    try #expect(query("SELECT 1 WHERE 0", "--format", "json").output == "[]\n")
  }

  @Test func `several statements run one after the other`() throws {
    try #expect(
      query("SELECT 1 AS a; -- a comment; \nSELECT 2 AS b", "--format", "csv").output
        == "a\n1\nb\n2\n")
  }

  @Test func `a write needs its flag`() throws {
    let run = try query("DELETE FROM book")
    #expect(run.errors.contains("attempt to write a readonly database"))
    #expect(run.code == 2)
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let failing = try Tool.quarry("query", path, "DELETE FROM book; DELETE FROM bok", "--write")
      #expect(failing.errors.contains("no such table: bok"))
      try #expect(
        Tool.quarry("query", path, "SELECT COUNT(*) AS n FROM book", "--format", "csv").output
          == "n\n3\n")
      try #expect(Tool.quarry("query", path, "DELETE FROM book", "--write").code == 0)
      try #expect(
        Tool.quarry("query", path, "SELECT COUNT(*) AS n FROM book", "--format", "csv").output
          == "n\n0\n")
    }
  }

  @Test func `a misspelled column is no text`() throws {
    let run = try query("SELECT \"titel\" FROM book")
    #expect(run.errors.contains("no such column: titel\n  SELECT \"titel\" FROM book\n         ^"))
    #expect(run.code == 2)
  }

  @Test func `statements are read from standard input`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let input = """
        -- a comment; with a semicolon
        SELECT ';' AS a,
          2 AS b;
        SELECT 3 AS c
        """
      try #expect(
        Tool.quarry("query", path, "--format", "csv", input: input).output
          == "a,b\n;,2\nc\n3\n")
      let failing = try Tool.quarry(
        "query", path, "--format", "csv", input: "SELECT 1 AS a;\n\nSELECT\n  unknown;\nSELECT 2;\n"
      )
      #expect(failing.output == "a\n1\n")
      #expect(
        failing.errors.hasPrefix(
          "quarry: standard input, line 3: \(path): no such column: unknown"))
      #expect(failing.code == 2)
    }
  }

  @Test func `a text in standard input that is not UTF-8 is an error with its line`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      // The byte 351, in octal digits, is é in Latin-1.
      let script =
        #"printf "UPDATE author SET country = 'FR' WHERE id = 1;\nUPDATE author\nSET name = 'Andr\351';\n" | "$0" query "$1" --write"#
      let run = try Tool.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", script, Tool.url("quarry").path, path])
      let message = "quarry: standard input, line 3: the text is not UTF-8\n"
      #expect(run == Run(output: "", errors: message, code: 2))
      let sql = "SELECT name, country FROM author WHERE id = 1"
      try #expect(
        Tool.quarry("query", path, sql, "--format", "csv").output
          == "name,country\nFlann O'Brien,FR\n")
    }
  }

  @Test func `a refused write names the option that allows it`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let message =
        "\(path): attempt to write a readonly database: --write allows statements that write\n"
      let run = try Tool.quarry("query", path, "DELETE FROM book")
      #expect(run == Run(output: "", errors: "quarry: \(message)", code: 2))
      let input = "SELECT 1 AS a;\nCREATE TABLE t (x);\n"
      try #expect(
        Tool.quarry("query", path, "--format", "csv", input: input)
          == Run(output: "a\n1\n", errors: "quarry: standard input, line 2: \(message)", code: 2))
    }
  }

  @Test func `commands are lines of their own in standard input`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let input = """
        -- the tables
        .tables
        .format csv
        SELECT '
        .tables
        ' AS text;

          .schema book
        .quit
        SELECT 3
        """
      try #expect(
        Tool.quarry("query", path, input: input)
          == Run(
            output: """
              author
              book
              cheap
              text
              "
              .tables
              "
              CREATE TABLE book (
                id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author ON DELETE CASCADE,
                title TEXT NOT NULL, year INTEGER, price REAL);
              CREATE INDEX book_author ON book (authorId);

              """, errors: "", code: 0))
      try #expect(Tool.quarry("query", path, ".tables").lines == ["author", "book", "cheap"])
    }
  }

  @Test(arguments: [
    (".table", "no such command: .table; .help lists them"),
    (".format xml", "no such format: xml: box, csv, json and jsonl are"),
    (".schema bok", "no such table or view: bok"),
  ])
  func `a command with a mistake ends standard input`(line: String, message: String) throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("query", path, input: "\n\(line)\nSELECT 1;")
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("quarry: standard input, line 2: "))
      #expect(run.errors.hasSuffix("\(message)\n"))
      #expect(run.code == 2)
    }
  }

  @Test func `a schema has no internal tables`() throws {
    try withScratch { scratch in
      let path = try scratch.database("odd.sqlite", Schemas.odd)
      let run = try Tool.quarry("query", path, input: ".schema")
      let created = run.lines.filter { $0.hasPrefix("CREATE") }
      // Ten tables, a view, a virtual table without its shadow tables, and a trigger.
      #expect(created.count == 12)
      #expect(!run.output.contains("sqlite_sequence") && !run.output.contains("search_content"))
    }
  }

  @Test func `the body of a trigger is one statement`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let input = """
        CREATE TRIGGER t AFTER INSERT ON author BEGIN
          UPDATE author SET name = 'a;b' WHERE id = new.id;
          DELETE FROM book WHERE 0;
        END;
        INSERT INTO author (id, name) VALUES (9, 'x');
        SELECT name FROM author WHERE id = 9;
        """
      let run = try Tool.quarry("query", path, "--write", "--format", "csv", input: input)
      #expect(run == Run(output: "name\na;b\n", errors: "", code: 0))
    }
  }

  @Test func `the end of a CASE is not that of its trigger`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let input = """
        CREATE TRIGGER t AFTER INSERT ON author BEGIN
          UPDATE author SET country = CASE new.name WHEN 'x' THEN 'FR' ELSE 'IE' END;
          DELETE FROM book WHERE 0;
        END;
        INSERT INTO author (id, name) VALUES (9, 'x');
        SELECT country FROM author WHERE id = 9;
        """
      let run = try Tool.quarry("query", path, "--write", "--format", "csv", input: input)
      #expect(run == Run(output: "country\nFR\n", errors: "", code: 0))
    }
  }

  @Test func `many rows need little memory`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", "")
      // 80 rows of 200,000 bytes are 16 MB: more than the process may have.
      let sql = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
        SELECT i, hex(zeroblob(100000)) AS zeros FROM n
        """
      let script = "ulimit -d 14000; exec \"$0\" query \"$1\" \"$2\" --format csv | tail -c 3"
      let run = try Tool.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", script, Tool.url("quarry").path, path, sql])
      #expect(run == Run(output: "00\n", errors: "", code: 0))
    }
  }
}

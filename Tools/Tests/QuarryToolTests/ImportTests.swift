import Foundation
import Quarry
import Testing

struct ImportTests {
  private func rows(_ path: String, _ sql: String) throws -> String {
    try Tool.quarry("query", path, sql, "--format", "csv", "--null", "NULL").output
  }

  @Test func `a CSV file is imported into a table`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let csv = try scratch.file(
        "books.csv", "title,authorId,price,year\r\n\"Hard, Life\",1,\"7.5\",1961\r\n\"\",2,,\r\n")
      try #expect(
        Tool.quarry("import", path, "book", csv)
          == Run(output: "2 rows imported into book\n", errors: "", code: 0))
      // The price and year of the last line are NULL, its title is an empty text.
      try #expect(
        rows(path, "SELECT title, authorId, price, typeof(price), year FROM book WHERE id > 3")
          == "title,authorId,price,typeof(price),year\n\"Hard, Life\",1,7.5,real,1961\n,2,NULL,null,NULL\n"
      )
    }
  }

  @Test func `a table and its file are created when asked`() throws {
    try withScratch { scratch in
      let csv = try scratch.file("books.csv", "title,year\nA,1900\nB,\n")
      let path = scratch / "new.sqlite"
      try #expect(
        Tool.quarry("import", path, "book", csv).errors == "quarry: \(path): no such file\n")
      let run = try Tool.quarry("import", path, "book", csv, "--create", "--type", "year=INTEGER")
      #expect(run == Run(output: "2 rows imported into book\n", errors: "", code: 0))
      try #expect(
        rows(path, "SELECT *, typeof(title) FROM book")
          == "title,year,typeof(title)\nA,1900,text\nB,NULL,text\n")
    }
  }

  @Test func `columns whose names Swift takes for equal are two`() throws {
    try withScratch { scratch in
      let (one, other) = ("\u{e9}", "e\u{301}")
      let csv = try scratch.file("accents.csv", "\(one),\(other)\n1,2\n,\n")
      for (number, typed) in [[one], [other], [one, other]].enumerated() {
        let path = scratch / "\(number).sqlite"
        let types = typed.flatMap { ["--type", "\($0)=INTEGER"] }
        let run = try Tool.run(
          Tool.url("quarry"), ["import", path, "t", csv, "--create"] + types)
        #expect(run == Run(output: "2 rows imported into t\n", errors: "", code: 0))
        let kinds = [one, other].map { name in
          typed.contains { $0.utf8.elementsEqual(name.utf8) }
            ? ("integer", "null") : ("text", "text")
        }
        try #expect(
          rows(path, "SELECT typeof(\"\(one)\") AS a, typeof(\"\(other)\") AS b FROM t")
            == "a,b\n\(kinds[0].0),\(kinds[1].0)\n\(kinds[0].1),\(kinds[1].1)\n")
      }
      let run = try Tool.quarry(
        "import", scratch / "new.sqlite", "t", csv, "--create", "--type", "E\u{301}\u{301}=TEXT")
      #expect(run.code == 2 && run.errors.contains("no such column: E\u{301}\u{301}"))
    }
  }

  static let mistakes = [
    ("title,year\nA,1\nB,2,3\n", ":3: "),
    ("title,year\nA,1\n\"B,2\n", ":3: a quote is never closed"),
    ("title,year\nA,1\nB\"x,2\n", ":3: a quote inside"),
    ("title,pages\nA,1\n", ":1: table book has no column pages"),
    ("", ":1: the file is empty"),
  ]

  @Test(arguments: mistakes)
  func `a wrong line is named, and nothing is imported`(csv: String, message: String) throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "shop.sqlite", "CREATE TABLE book (title TEXT NOT NULL, year INTEGER)")
      let csv = try scratch.file("books.csv", csv)
      let run = try Tool.quarry("import", path, "book", csv)
      #expect(run.errors.contains("\(csv)\(message)"))
      #expect(run.code == 2)
      try #expect(rows(path, "SELECT COUNT(*) AS n FROM book") == "n\n0\n")
    }
  }

  @Test func `a row that the table refuses ends the import, or is listed`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let csv = try scratch.file("books.csv", "id,authorId,title\n4,1,A\n5,9,B\n1,1,C\n6,2,D\n")
      let jsonl = try scratch.file("books.jsonl", "{\"id\":7,\"authorId\":1,\"title\":null}\n")
      let strict = try Tool.quarry("import", path, "book", jsonl)
      #expect(
        strict.errors
          == "quarry: \(jsonl):1: NOT NULL constraint failed: book.title; nothing is imported\n")
      #expect(strict.code == 2)
      let lenient = try Tool.quarry("import", path, "book", csv, "--skip-rejected")
      #expect(
        lenient.errors == """
          quarry: \(csv):3: FOREIGN KEY constraint failed - \
          foreign key from book(authorId) to author(id)
          quarry: \(csv):4: UNIQUE constraint failed: book.id
          quarry: 2 rows rejected

          """)
      #expect(lenient.output == "2 rows imported into book\n")
      #expect(lenient.code == 1)
      try #expect(rows(path, "SELECT id FROM book WHERE id > 3") == "id\n4\n6\n")
    }
  }

  @Test func `a failed import leaves no new file`() throws {
    try withScratch { scratch in
      let csv = try scratch.file("books.csv", "a,b\n1\n")
      let run = try Tool.quarry("import", scratch / "new.sqlite", "book", csv, "--create")
      #expect(run.code == 2)
      #expect(!FileManager.default.fileExists(atPath: scratch / "new.sqlite"))
    }
  }

  @Test func `JSON Lines keep their types`() throws {
    try withScratch { scratch in
      let path = try scratch.database("some.sqlite", "CREATE TABLE t (a, b, c)")
      let jsonl = try scratch.file(
        "t.jsonl",
        """
        {"a":9223372036854775807,"b":0.5,"c":"x"}

        {"c":true,"a":null}
        {"a":[1, 2],"b":{"base64":"AQI="}}
        """)
      try #expect(Tool.quarry("import", path, "t", jsonl).errors == "")
      try #expect(
        rows(path, "SELECT *, typeof(a) AS type FROM t") == """
          a,b,c,type
          9223372036854775807,0.5,x,integer
          NULL,NULL,1,null
          "[1,2]",X'0102',NULL,text

          """)
    }
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"a\":\n", ":2: malformed JSON"), ("[1]\n", ":1: no JSON object, but array"),
    ("{\"a\":\"x\\u0000y\"}\n", ":1: a text with a NUL (\\u0000) can't be imported"),
    ("{\"a\":\"\\\\\\u0000\"}\n", ":1: a text with a NUL (\\u0000) can't be imported"),
    ("{\"a\":\"\\u0000\u{301}\"}\n", ":1: a text with a NUL (\\u0000) can't be imported"),
    ("{\"x\":1}\n", ":1: table t has no column x"),
  ])
  func `a line that is no object is named`(text: String, message: String) throws {
    try withScratch { scratch in
      let path = try scratch.database("some.sqlite", "CREATE TABLE t (a)")
      let jsonl = try scratch.file("t.jsonl", text)
      let run = try Tool.quarry("import", path, "t", jsonl)
      #expect(run.errors == "quarry: \(jsonl)\(message)\n")
      #expect(run.code == 2)
    }
  }

  @Test func `an escaped backslash before u0000 is no NUL`() throws {
    try withScratch { scratch in
      let path = try scratch.database("some.sqlite", "CREATE TABLE t (a)")
      let lines = [#"{"a":"C:\\u0000"}"#, #"{"a":"\\\\u0000"}"#]
      let jsonl = try scratch.file("t.jsonl", lines.joined(separator: "\n"))
      try #expect(Tool.quarry("import", path, "t", jsonl).errors == "")
      try #expect(rows(path, "SELECT a FROM t") == "a\nC:\\u0000\n\\\\u0000\n")
    }
  }

  @Test(arguments: ["NULL", ""])
  func `a text in quotes that is the field for NULL stays a text`(null: String) throws {
    try withScratch { scratch in
      let schema = "CREATE TABLE t (a TEXT, b TEXT);"
      let path = try scratch.database(
        "one.sqlite", "\(schema) INSERT INTO t VALUES ('\(null)', NULL), ('x', '\(null)');")
      let file = scratch / "t.csv"
      try #expect(Tool.quarry("export", path, "t", "--to", file, "--null", null).errors == "")
      try #expect(
        String(contentsOfFile: file, encoding: .utf8)
          == "a,b\n\"\(null)\",\(null)\nx,\"\(null)\"\n")
      let copy = try scratch.database("two.sqlite", schema)
      try #expect(Tool.quarry("import", copy, "t", file, "--null", null).errors == "")
      try #expect(Tool.quarry("diff", path, copy) == Run(output: "", errors: "", code: 0))
    }
  }

  @Test(
    arguments: ["csv", "jsonl"], ["Order", "Order Details", "quo\"te's", "📚", "misc", "person"])
  func `an export is imported as it was`(format: String, table: String) throws {
    try withScratch { scratch in
      // Of the text that is not UTF-8 no export is exact.
      let schema = Schemas.odd.replacingOccurrences(of: "CAST(x'41FF42' AS TEXT)", with: "'AB'")
        .replacingOccurrences(of: "'nul' || char(0) || 'end'", with: "'no nul'")
      let path = try scratch.database("odd.sqlite", schema)
      let file = scratch / "rows.\(format)"
      try #expect(Tool.quarry("export", path, table, "--to", file, "--null", "NULL").errors == "")
      let deletion = "PRAGMA foreign_keys = OFF; DELETE FROM \(table.quotedDatabaseIdentifier);"
      let copy = try scratch.database("copy.sqlite", schema + deletion)
      let run = try Tool.quarry("import", copy, table, file, "--null", "NULL")
      #expect(run.errors == "")
      // CSV has no types: those of columns that declare none, and dates, are lost.
      if format == "csv", table == "misc" { return }
      let difference = try Tool.quarry("diff", path, copy)
      #expect(difference.lines.filter { $0.contains(table) } == [])
    }
  }

  @Test func `progress is shown on standard error when asked`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let export = try Tool.quarry("export", path, "book", "--progress")
      #expect(export.lines.count == 4)
      #expect(export.errors.hasSuffix("\r[##############################] 100 %  3 rows\n"))
      let csv = try scratch.file("authors.csv", "id,name\n7,A\n")
      let run = try Tool.quarry("import", path, "author", csv, "--progress")
      #expect(run.errors.hasSuffix("\r[##############################] 100 %  1 row\n"))
    }
  }

  @Test(arguments: [["export", "book", "--format", "csv"], ["records"]])
  func `links, pipes and permissions at the path of a result stay`(command: [String]) throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let arguments = [command[0], path] + command.dropFirst()
      let expected = try Tool.run(Tool.url("quarry"), arguments).output
      let (link, pipe) = (scratch / "link", scratch / "pipe")
      let file = try scratch.file("file", String(repeating: "former\n", count: 1000))
      #expect(chmod(file, 0o600) == 0)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      #expect(mkfifo(pipe, 0o600) == 0)
      let descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(descriptor >= 0)
      let reader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)

      for target in [link, pipe] {
        let run = try Tool.run(Tool.url("quarry"), arguments + ["--to", target])
        #expect(run == Run(output: "", errors: "", code: 0))
      }
      try #expect(FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
      try #expect(String(contentsOfFile: file, encoding: .utf8) == expected)
      #expect(Scratch.permissions(of: file) == 0o600)
      let piped = try reader.readToEnd() ?? Data()
      #expect(String(decoding: piped, as: UTF8.self) == expected)
    }
  }

  @Test func `an export does not overwrite its database`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("export", path, "book", "--to", path, "--format", "csv")
      #expect(run.errors == "quarry: \(path): can't export a database into itself\n")
      try #expect(Tool.quarry("check", path).code == 0)
    }
  }

  @Test func `a database is not overwritten by another path to its file`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let (link, twin) = (scratch / "link.sqlite", scratch / "twin.sqlite")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      try FileManager.default.linkItem(atPath: path, toPath: twin)
      for other in [scratch / "./shop.sqlite", link, twin] {
        let export = try Tool.quarry("export", path, "book", "--to", other, "--format", "csv")
        #expect(export.errors == "quarry: \(path): can't export a database into itself\n")
        let records = try Tool.quarry("records", path, "--to", other)
        #expect(records.errors == "quarry: \(path): can't write Swift into a database\n")
      }
      try #expect(Tool.quarry("check", path).code == 0)
    }
  }
}

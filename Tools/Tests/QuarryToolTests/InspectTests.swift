import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct InspectTests {
  @Test func `tables, columns, keys, indexes and counts are shown`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("inspect", path)
      #expect(
        run.output == """
          \(path): 16 KB, 4 pages of 4096 bytes, UTF-8, journal mode delete, user version 0

          table author (2 rows, 4.0 KB)
            id       INTEGER  primary key
            name     TEXT     not null
            country  TEXT     default 'IE'

          table book (3 rows, 4.0 KB)
            id        INTEGER  primary key
            authorId  INTEGER  not null, -> author(id) on delete cascade
            title     TEXT     not null
            year      INTEGER
            price     REAL
            index book_author (authorId), 4.0 KB

          view cheap (1 row)
            title  TEXT
            price  REAL

          """)
      #expect(run.errors == "")
    }
  }

  @Test func `counts and sizes can be left out`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("inspect", path, "--fast")
      #expect(run.output.contains("\ntable author\n"))
      #expect(run.output.contains("    index book_author (authorId)\n") == false)
      #expect(run.output.contains("  index book_author (authorId)\n"))
    }
  }

  @Test func `all kinds of tables and names are shown`() throws {
    try withScratch { scratch in
      let run = try Tool.quarry("inspect", scratch.database("odd.sqlite", Schemas.odd), "--fast")
      let heads = run.lines.filter { !$0.hasPrefix(" ") }.dropFirst()
      #expect(
        Array(heads) == [
          "table misc", "table Order", "table Order Details", "table passport", "table person",
          "table person_tag", "table quo\"te's", "virtual table search", "view select", "table tag",
          "table 📚",
        ])
      #expect(run.lines.contains("  Order Id    INTEGER  primary key 1, not null, -> Order(id)"))
      #expect(run.lines.contains("  total       REAL     generated"))
      #expect(run.lines.contains("  tab\\tname  TEXT"))
    }
  }

  @Test func `a broken view does not hide the others`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "broken.sqlite",
        """
        CREATE TABLE a (x); CREATE TABLE b (y); CREATE VIEW v AS SELECT x FROM a;
        PRAGMA legacy_alter_table = ON; DROP TABLE a;
        """)
      let run = try Tool.quarry("inspect", path, "--fast")
      #expect(run.lines.contains("table b"))
      #expect(run.lines.contains("  can't be read: no such table: main.a"))
      #expect(run.code == 0)
    }
  }

  @Test func `a diagram is written for Mermaid`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("inspect", path, "--diagram", scratch / "shop.mmd")
      #expect(run == Run(output: "", errors: "", code: 0))
      try #expect(
        String(contentsOfFile: scratch / "shop.mmd", encoding: .utf8) == """
          erDiagram
            t0["author"] {
              INTEGER id PK
              TEXT name "not null"
              TEXT country
            }
            t1["book"] {
              INTEGER id PK
              INTEGER authorId FK "not null"
              TEXT title "not null"
              INTEGER year
              REAL price
            }
            t0 ||--o{ t1 : "authorId"

          """)
    }
  }

  @Test(arguments: [Schemas.shop, Schemas.odd, ""])
  func `a diagram is written as SVG, with all tables and keys`(schema: String) throws {
    try withScratch { scratch in
      let path = try scratch.database("some.sqlite", schema)
      let run = try Tool.quarry("inspect", path, "--diagram", scratch / "some.svg")
      #expect(run == Run(output: "", errors: "", code: 0))
      let data = try Data(contentsOf: URL(fileURLWithPath: scratch / "some.svg"))
      let parser = XMLParser(data: data)
      let counter = ElementCounter()
      parser.delegate = counter
      #expect(parser.parse())
      let tables = schema.isEmpty ? 0 : schema == Schemas.shop ? 2 : 9
      let links = schema.isEmpty ? 0 : schema == Schemas.shop ? 1 : 6
      // The white sheet, and two for each table; the marks of the ends are two paths.
      #expect(counter.counts["rect"] == 1 + 2 * tables)
      #expect(counter.counts["path"] == 2 + links)
    }
  }

  @Test func `a diagram with another ending is an error`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("inspect", path, "--diagram", "shop.bmp")
      #expect(run.errors == "quarry: shop.bmp: a diagram ends with .svg or .mmd\n")
      #expect(run.code == 2)
    }
  }
}

private final class ElementCounter: NSObject, XMLParserDelegate {
  var counts: [String: Int] = [:]

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
  ) {
    counts[elementName, default: 0] += 1
  }
}

import Testing

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
}

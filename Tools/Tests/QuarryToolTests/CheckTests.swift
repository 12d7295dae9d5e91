import Foundation
import Quarry
import Testing

struct CheckTests {
  @Test func `a sound database has no findings`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      try #expect(
        Tool.quarry("check", path)
          == Run(output: "\(path): no findings\n", errors: "", code: 0))
    }
  }

  @Test func `violations, missing indexes and values of another type are found`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "bad.sqlite",
        """
        PRAGMA foreign_keys = OFF;
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author, year INTEGER, price REAL);
        CREATE TABLE loan (id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES nowhere);
        INSERT INTO author VALUES (1, x'00'), (2, CAST(x'FF' AS TEXT)), (3, 'fine');
        INSERT INTO book VALUES (1, 7, 'soon', 1), (2, 1, 1999, 'cheap');
        CREATE VIEW v AS SELECT unknown FROM book;
        """)
      let run = try Tool.quarry("check", path)
      #expect(
        run.lines == [
          "FOREIGN KEY constraint violation - from book(authorId) to author(id), in [id:1 authorId:7 year:\"soon\" price:1.0]",
          "author.name: 2 values in a column of texts: blobs, or texts that are not UTF-8",
          "book: no index begins with the foreign key (authorId) to author",
          "book.year: 1 value in a column of integers with another type",
          "book.price: 1 value in a column of numbers with another type",
          "loan: no index begins with the foreign key (bookId) to nowhere",
          "v: can't be read: no such column: unknown", "7 findings",
        ])
      #expect(run.code == 1)
    }
  }

  @Test func `damage is found`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "damaged.sqlite",
        """
        CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); CREATE INDEX i ON t (b);
        INSERT INTO t VALUES (1, 'one'), (2, 'two');
        """)
      // The second page is the table: its rows go.
      let handle = try #require(FileHandle(forUpdatingAtPath: path))
      try handle.seek(toOffset: 4096 + 3)
      try handle.write(contentsOf: Data([0, 0]))
      try handle.close()
      let run = try Tool.quarry("check", path)
      #expect(run.output.contains("integrity: "))
      #expect(run.code == 1)
    }
  }
}

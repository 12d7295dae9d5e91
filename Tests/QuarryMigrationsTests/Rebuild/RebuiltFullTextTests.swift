import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

// Full-text indexes over views of a table that is rebuilt.
struct RebuiltFullTextTests {
  @Test(.needs(.fullText)) func `full-text tables over views of the table are indexed anew`() throws
  {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE VIEW titled AS SELECT id, title FROM book WHERE title <> '';
          CREATE VIEW short AS SELECT id, title FROM titled WHERE length(title) < 10;
          CREATE VIRTUAL TABLE ft USING fts5(title, content='short', content_rowid='id');
          INSERT INTO book VALUES (1, 'Emma'), (2, 'Persuasion'), (3, '');
          INSERT INTO ft(ft) VALUES ('rebuild');
          """)
      try db.rebuild(
        table: "book",
        copying: [Column("title").set(to: SQL(sql: "replace(title, 'Emma', 'Susan')"))]
      ) { t in
        t.primaryKey("id", .integer)
        t.column("title", .text).notNull()
      }
      let sql = "SELECT rowid FROM ft WHERE ft MATCH ?"
      try #expect(Int.fetchAll(db, sql: sql, arguments: ["emma"]) == [])
      try #expect(Int.fetchAll(db, sql: sql, arguments: ["susan"]) == [1])
    }
  }

  @Test(.needs(.fullText)) func `an index that needs rowids keeps a table from losing them`()
    throws
  {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (isbn TEXT PRIMARY KEY, title TEXT);
          CREATE VIRTUAL TABLE ft USING fts5(title, content='book');
          INSERT INTO book VALUES ('a', 'Emma'), ('b', 'Persuasion');
          INSERT INTO ft(ft) VALUES ('rebuild');
          """)
      func rebuild() throws {
        try db.rebuild(table: "book", options: .withoutRowID) { t in
          t.primaryKey("isbn", .text)
          t.column("title", .text)
        }
      }
      #expect(throws: DatabaseError.self) { try rebuild() }
      let sql = "SELECT title FROM ft WHERE ft MATCH 'emma'"
      try #expect(String.fetchAll(db, sql: sql) == ["Emma"])
      try db.execute(sql: "DROP TABLE ft")
      try rebuild()
      try #expect(String.fetchAll(db, sql: "SELECT title FROM book") == ["Emma", "Persuasion"])
    }
  }

  @Test(.needs(.fullText)) func `an index by a column of integers stays without rowids`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE VIRTUAL TABLE ft USING fts5(title, content='book', content_rowid='id');
          INSERT INTO book VALUES (2, 'Emma'), (7, 'Persuasion');
          INSERT INTO ft(ft) VALUES ('rebuild');
          """)
      try db.rebuild(table: "book", options: .withoutRowID) { t in
        t.primaryKey("id", .integer)
        t.column("title", .text)
      }
      let rows = try Row.fetchAll(
        db, sql: "SELECT rowid AS id, title FROM ft WHERE ft MATCH 'persuasion'")
      #expect(rows == [["id": 7, "title": "Persuasion"]])
    }
  }

  @Test(.needs(.fullText)) func `an index of some rows of the table is not made anew`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, isPublished);
          CREATE VIRTUAL TABLE ft USING fts5(title, content='book', content_rowid='id');
          CREATE TRIGGER indexed AFTER INSERT ON book WHEN new.isPublished BEGIN
            INSERT INTO ft(rowid, title) VALUES (new.id, new.title);
          END;
          INSERT INTO book VALUES (1, 'Emma', 0), (2, 'Emma', 1);
          """)
      func rebuild(title: Database.ColumnType) throws {
        try db.rebuild(table: "book") { t in
          t.primaryKey("id", .integer)
          t.column("title", title)
          t.column("isPublished")
        }
      }
      #expect(
        errorText { try rebuild(title: .blob) } == """
          table book can't be rebuilt: its trigger indexed adds some rows only to the full-text \
          table ft, which would have all of them. Drop both before, and create them afterwards
          """)
      // The index has the same rows and texts afterwards.
      try rebuild(title: .text)
      try #expect(Int.fetchAll(db, sql: "SELECT rowid FROM ft WHERE ft MATCH 'emma'") == [2])
    }
  }

  @Test(.needs(.fullText)) func `an index of some rows of a view is not made anew`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, isPublished);
          CREATE VIEW titled AS SELECT id, title FROM book;
          CREATE VIRTUAL TABLE ft USING fts5(title, content='titled', content_rowid='id');
          CREATE TRIGGER indexed AFTER INSERT ON book WHEN new.isPublished BEGIN
            INSERT INTO ft(rowid, title) VALUES (new.id, new.title);
          END;
          """)
      let error = errorText {
        try db.rebuild(table: "book", copying: [Column("title").set(to: "?")]) { t in
          t.primaryKey("id", .integer)
          t.column("title", .text)
          t.column("isPublished")
        }
      }
      #expect(
        error == """
          table book can't be rebuilt: its trigger indexed adds some rows only to the full-text \
          table ft, which would have all of them. Drop both before, and create them afterwards
          """)
    }
  }
}

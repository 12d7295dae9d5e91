import Foundation
import Quarry
import QuarryPlans
import QuarryRecords
import QuarryTestSupport
import Testing

struct HistoryTests {
  @Test func `all changes of a table are recorded, whatever writes them`() throws {
    try withBookTable { db throws in
      try db.createHistory(of: "book")
      var book = RecordedBook(id: 1, title: "Emma")
      try book.insert(db)
      book.title = "Persuasion"
      try book.update(db)
      try db.execute(sql: "UPDATE book SET id = 2")
      try db.execute(sql: "INSERT INTO book VALUES (3, 'Emma') ON CONFLICT DO NOTHING")
      try db.execute(
        sql: "INSERT INTO book VALUES (3, 'Ruth') ON CONFLICT DO UPDATE SET title = 'Cranford'")
      #expect(try RecordedBook.deleteAll(db) == 2)
      #expect(
        try entries(db) == [
          "insert 1 Emma", "update 1 Persuasion", "delete 1 Persuasion", "update 2 Persuasion",
          "insert 3 Emma", "update 3 Cranford", "delete 2 Persuasion", "delete 3 Cranford",
        ])
    }
  }

  @Test func `the rows that are there are recorded first, if they are asked for`() throws {
    try withBookTable { db throws in
      try db.execute(sql: "INSERT INTO book VALUES (2, 'Ruth'), (1, 'Emma')")
      try db.createHistory(of: "book")
      #expect(try entries(db) == ["snapshot 1 Emma", "snapshot 2 Ruth"])
      try db.dropHistory(of: "book")
      try db.createHistory(of: "book", snapshot: false)
      #expect(try entries(db) == [])
    }
  }

  @Test func `the history of a record is decoded`() throws {
    try withBookTable { db throws in
      try db.createHistory(of: "book")
      let begin = Date()
      try RecordedBook(id: 1, title: "Emma").insert(db)
      try RecordedBook(id: 2, title: "Ruth").insert(db)
      try RecordedBook(id: 1, title: "Persuasion").update(db)
      try RecordedBook(id: 1, title: "Persuasion").delete(db)
      let entries = try RecordedBook.history(key: 1).fetchAll(db)
      #expect(entries.map(\.operation) == [.insert, .update, .delete])
      #expect(entries.map(\.record.title) == ["Emma", "Persuasion", "Persuasion"])
      #expect(entries.map(\.id) == [1, 3, 4])
      #expect(entries.allSatisfy { abs($0.date.timeIntervalSince(begin)) < 60 })
      #expect(try RecordedBook.history().fetchCount(db) == 4)
      #expect(try RecordedBook.history().reversed().fetchOne(db)?.operation == .delete)
      #expect(
        try QuarryTestSupport.sql(of: RecordedBook.history(key: 1), in: db).sql
          == #"SELECT * FROM "book_history" WHERE "id" = ? ORDER BY "historyId""#)
      let plan = try RecordedBook.history(key: 1).explain(db)
      #expect(plan.description.contains("book_history_key"))
    }
  }

  @Test func `names are quoted, and keep their case`() throws {
    let sql = """
      CREATE TABLE "the ""book's"" list" ("the id" INTEGER PRIMARY KEY, "order" , "a""b'" VARCHAR(3))
      """
    try withBookTable(sql) { db throws in
      let name = "the \"book's\" list"
      try db.createHistory(of: name.uppercased())
      try db.execute(sql: "INSERT INTO \(name.quotedDatabaseIdentifier) VALUES (1, 2, 3)")
      #expect(
        try Row.fetchAll(
          db, sql: "SELECT * FROM \((name + "_history").quotedDatabaseIdentifier)"
        ).map { Array($0.databaseValues.prefix(5)) }
          == [
            [
              1.databaseValue, 2.databaseValue, "3".databaseValue, 1.databaseValue,
              "insert".databaseValue,
            ]
          ])
      try db.updateHistory(of: name)
      try db.dropHistory(of: name)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 1)
    }
  }

  @Test func `the triggers of the application stay, whatever their names`() throws {
    try withBookTable { db throws in
      try db.createHistory(of: "book")
      try db.execute(
        sql: """
          CREATE TABLE price_history (book INTEGER, title TEXT);
          CREATE TRIGGER price_history_update AFTER UPDATE ON book BEGIN
            INSERT INTO price_history VALUES (NEW.id, NEW.title);
          END;
          CREATE TRIGGER my_history_delete AFTER DELETE ON book BEGIN
            DELETE FROM book_history WHERE "historyOperation" = 'snapshot';
          END;
          """)
      try db.updateHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma'); UPDATE book SET title = 'Ruth'")
      #expect(try String.fetchAll(db, sql: "SELECT title FROM price_history") == ["Ruth"])
      #expect(try entries(db) == ["insert 1 Emma", "update 1 Ruth"])
      try db.dropHistory(of: "book")
      #expect(
        try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
          == ["my_history_delete", "price_history_update"])
    }
  }

  @Test func `a table whose name is that of a row of a trigger is recorded`() throws {
    try withBookTable("CREATE TABLE new (id INTEGER PRIMARY KEY, title TEXT)") { db throws in
      try db.createHistory(of: "new")
      try db.execute(
        sql: """
          INSERT INTO new VALUES (1, 'Emma'), (2, 'Ruth');
          UPDATE new SET title = 'Persuasion' WHERE id = 1;
          DELETE FROM new WHERE id = 1;
          """)
      #expect(
        try entries(db, of: "new") == [
          "insert 1 Emma", "insert 2 Ruth", "update 1 Persuasion", "delete 1 Persuasion",
        ])
    }
  }

  @Test func `an error in the change leaves the history as it was`() throws {
    struct Oops: Error {}
    try withBookTable { db throws in
      try db.createHistory(of: "book")
      #expect(throws: Oops.self) {
        try db.updateHistory(of: "book") {
          try db.execute(sql: "ALTER TABLE book ADD COLUMN year")
          throw Oops()
        }
      }
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma')")
      #expect(try entries(db) == ["insert 1 Emma"])
    }
  }

  @Test func `rows that are replaced are recorded if triggers are recursive`() throws {
    try withBookTable { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT OR REPLACE INTO book VALUES (1, 'Emma'), (1, 'Ruth')")
      #expect(try entries(db) == ["insert 1 Emma", "insert 1 Ruth"])
      try db.execute(sql: "PRAGMA recursive_triggers = 1")
      try db.execute(sql: "INSERT OR REPLACE INTO book VALUES (2, 'Ruth')")
      #expect(try entries(db).suffix(2) == ["delete 1 Ruth", "insert 2 Ruth"])
    }
  }

  @Test func `values of any type in a strict table are recorded as they are`() throws {
    try withBookTable("CREATE TABLE book (id INTEGER PRIMARY KEY, code ANY) STRICT") { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, '007'), (2, 7)")
      #expect(
        try entries(db, "typeof(code), code") == ["insert text 007", "insert integer 7"])
    }
  }

  @Test func `a rollback takes the entries back`() throws {
    try withBookTable { db throws in
      try db.createHistory(of: "book")
      try db.inSavepoint {
        try RecordedBook(id: 1, title: "Emma").insert(db)
        return .rollback
      }
      #expect(try entries(db) == [])
    }
  }

  /// The last entry of each key is the row, or its deletion.
  @Test func `random changes are reported by the history`() throws {
    try RandomRun("history").repeated(seconds: 1) { generator throws in
      try withBookTable("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)") { db throws in
        try db.createHistory(of: "book")
        for step in 0..<20 {
          let id = generator.below(5)
          switch generator.below(5) {
          case 0: try db.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [id])
          case 1:
            try db.execute(
              sql: "UPDATE OR IGNORE book SET id = ? WHERE id = ?",
              arguments: [generator.below(5), id])
          case 2:
            try db.execute(
              sql: "UPDATE book SET title = ? WHERE id >= ?", arguments: ["u\(step)", id])
          default:
            try db.execute(
              sql: """
                INSERT INTO book VALUES (?, ?) ON CONFLICT DO UPDATE SET title = excluded.title
                """,
              arguments: [id, "i\(step)"])
          }
        }
        let last = try String.fetchAll(
          db,
          sql: """
            SELECT id || ' ' || title FROM book_history
            WHERE historyId IN (SELECT max(historyId) FROM book_history GROUP BY id)
            AND historyOperation <> 'delete' ORDER BY id
            """)
        let rows = try String.fetchAll(
          db, sql: "SELECT id || ' ' || title FROM book ORDER BY id")
        #expect(last == rows)
      }
    }
  }
}

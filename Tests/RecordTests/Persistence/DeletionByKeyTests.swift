import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// The deletions and existence tests of a record type, by key.
@Suite(.onQueueAndPool)
struct DeletionByKeyTests {
  @Test func `One row is deleted by its key`() throws {
    try inBookshop { db, recorder throws in
      #expect(try Country.deleteOne(db, key: "FR"))
      #expect(try !Country.deleteOne(db, key: "FR"))
      #expect(try Review.deleteOne(db, id: 2))
      #expect(try Stock.deleteOne(db, key: ["shop": "north", "isbn": "b"]))
      #expect(try Member.deleteOne(db, key: ["email": "a@example.com"]))
      #expect(try Note.deleteOne(db, key: 1))
      #expect(
        recorder.takeStatements() == [
          #"DELETE FROM "country" WHERE "code" = ?"#, #"DELETE FROM "country" WHERE "code" = ?"#,
          #"DELETE FROM "review" WHERE "id" = ?"#,
          #"DELETE FROM "stock" WHERE ("shop" = ?) AND ("isbn" = ?)"#,
          #"DELETE FROM "member" WHERE "email" = ?"#, #"DELETE FROM "note" WHERE "rowid" = ?"#,
        ])
      #expect(try Country.fetchAll(db).map(\.code) == ["IT"])
      #expect(try Review.fetchAll(db).map(\.id) == [1, 3])
      #expect(try Stock.fetchCount(db) == 2)
      #expect(try Member.fetchAll(db).map(\.nick) == ["bob", "cat"])
      #expect(try Note.fetchAll(db) == [Note(text: nil)])
    }
  }

  /// Deletion by a key that was NULL deleted all rows with NULL.
  @Test func `A key of several rows deletes none of them`() throws {
    try inBookshop { db, recorder throws in
      try db.execute(
        sql: """
          INSERT INTO member VALUES (NULL, 'dan');
          CREATE UNIQUE INDEX atticLabel ON shelf (label) WHERE room = 'attic';
          INSERT INTO shelf VALUES ('cellar', 2, 'Maps');
          """)
      let email: String? = nil
      let ofNull: [() throws -> Bool] = [
        { try Member.deleteOne(db, key: ["email": email]) },
        { try Table("member").deleteOne(db, key: ["email": nil]) },
      ]
      for delete in ofNull {
        let text = errorText(delete)
        #expect(
          text?.hasPrefix("Several rows of table member have the key [email:NULL]: ") == true)
      }
      let partial = errorText { try Shelf.deleteOne(db, key: ["label": "Maps"]) }
      #expect(
        partial?.hasPrefix(#"Several rows of table shelf have the key [label:"Maps"]: "#) == true)
      #expect(try Member.fetchCount(db) == 4)
      #expect(try Shelf.fetchCount(db) == 4)

      _ = recorder.takeStatements()
      #expect(try Shelf.deleteOne(db, key: ["label": "Poetry"]))
      #expect(try !Shelf.deleteOne(db, key: ["label": "Poetry"]))
      #expect(try Stock.deleteOne(db, key: ["shop": "north", "isbn": "b", "qty": 0]))
      let deletion = #"DELETE FROM "shelf" WHERE "label" = ?"#
      let count = #"SELECT COUNT(*) FROM (SELECT * FROM "shelf" WHERE "label" = ? LIMIT 2)"#
      #expect(
        recorder.takeStatements() == [
          count, deletion, count, deletion,
          #"DELETE FROM "stock" WHERE ("shop" = ?) AND ("isbn" = ?) AND ("qty" = ?)"#,
        ])
      try db.execute(sql: "DELETE FROM member WHERE nick = 'dan'")
      #expect(try Member.deleteOne(db, key: ["email": email]))
      #expect(try Member.fetchAll(db).map(\.nick) == ["ann", "bob"])
      #expect(try Shelf.fetchAll(db).map(\.label) == [nil, "Maps", "Maps"])
    }
  }

  /// The index takes texts for different that the column, and so the deletion, takes for equal.
  @Test func `A key that an index compares otherwise than its column deletes one row at most`()
    throws
  {
    try inBookshop { db, recorder throws in
      try db.execute(
        sql: """
          CREATE TABLE topic (name TEXT COLLATE NOCASE, code TEXT);
          CREATE UNIQUE INDEX topicName ON topic (name COLLATE BINARY);
          CREATE UNIQUE INDEX topicCode ON topic (code COLLATE NOCASE);
          INSERT INTO topic VALUES ('Sea', 'a'), ('sea', 'b'), ('River', 'c');
          """)
      let topics = Table("topic")
      let text = errorText { try topics.deleteOne(db, key: ["name": "sea"]) }
      #expect(text?.hasPrefix(#"Several rows of table topic have the key [name:"sea"]: "#) == true)
      let grouped = errorText { try topics.all().group(Column("name")).deleteAll(db) }
      #expect(grouped?.contains("Can't delete query with GROUP BY clause") == true)
      #expect(try topics.fetchCount(db) == 3)
      _ = recorder.takeStatements()
      #expect(try topics.deleteOne(db, key: ["name": "river"]))
      #expect(try !topics.deleteOne(db, key: ["code": "A"]))
      #expect(try topics.deleteOne(db, key: ["code": "a"]))
      #expect(
        recorder.takeStatements() == [
          #"SELECT COUNT(*) FROM (SELECT * FROM "topic" WHERE "name" = ? LIMIT 2)"#,
          #"DELETE FROM "topic" WHERE "name" = ?"#, #"DELETE FROM "topic" WHERE "code" = ?"#,
          #"DELETE FROM "topic" WHERE "code" = ?"#,
        ])
      #expect(try String.fetchAll(db, sql: "SELECT name FROM topic") == ["sea"])
    }
  }

  @Test func `Rows are counted and deleted in one transaction`() throws {
    try withBookshop { db throws in
      let statements = try db.statements {
        let isDeleted = try Member.deleteOne(db, key: ["email": nil])
        #expect(isDeleted)
      }
      #expect(
        statements.filter { !$0.contains("PRAGMA") && !$0.contains("sqlite_master") } == [
          "BEGIN IMMEDIATE TRANSACTION",
          #"SELECT COUNT(*) FROM (SELECT * FROM "member" WHERE "email" IS NULL LIMIT 2)"#,
          #"DELETE FROM "member" WHERE "email" IS NULL"#, "COMMIT TRANSACTION",
        ])
      try db.execute(sql: "INSERT INTO member VALUES (NULL, 'dan'), (NULL, 'eve')")
      let text = errorText { try Member.deleteOne(db, key: ["email": nil]) }
      #expect(text?.hasPrefix("Several rows of table member have the key [email:NULL]: ") == true)
      #expect(!db.isInsideTransaction)
      #expect(try Member.fetchAll(db).map(\.nick) == ["ann", "bob", "dan", "eve"])
    }
  }

  private struct Loan: Codable, Identifiable, FetchableRecord, PersistableRecord, Hashable {
    var id: UUID?
    var title: String
  }

  /// The identifiers of the records are optional, and those that are asked for are not.
  @Test func `Keys that the record encodes, and identifiers that are optional`() throws {
    try DatabaseQueue().write { db throws in
      try db.execute(sql: "CREATE TABLE loan (id BLOB PRIMARY KEY, title TEXT NOT NULL)")
      let ids = (1...4).map { UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)")! }
      for (id, title) in zip(ids, ["a", "b", "c", "d"]) {
        try Loan(id: id, title: title).insert(db)
      }
      #expect(try Loan.fetchAll(db, ids: Array(ids[..<2])).map(\.title).sorted() == ["a", "b"])
      #expect(try Loan.fetchAll(db, ids: ids[..<2]).map(\.title).sorted() == ["a", "b"])
      #expect(try Loan.fetchSet(db, ids: [ids[2]]) == [Loan(id: ids[2], title: "c")])
      #expect(try Loan.fetchSet(db, ids: ids[2..<3]) == [Loan(id: ids[2], title: "c")])
      #expect(try Table<Loan>("loan").deleteAll(db, ids: [ids[0]]) == 1)
      #expect(try Table<Loan>("loan").deleteAll(db, ids: ids[1..<2]) == 1)
      #expect(try Loan.deleteOne(db, key: ids[2]))
      #expect(try !Loan.deleteOne(db, key: ids[2]))
      #expect(try Loan.fetchAll(db).map(\.title) == ["d"])
    }
  }

  @Test func `Rows are deleted by keys, and counted`() throws {
    try inBookshop { db, recorder throws in
      #expect(try Review.deleteAll(db, ids: [1, 99]) == 1)
      #expect(try Country.deleteAll(db, keys: ["FR", "IT"]) == 2)
      #expect(try Country.deleteAll(db, keys: [] as [String]) == 0)
      #expect(
        try Stock.deleteAll(
          db, keys: [["shop": "north", "isbn": "b"], ["shop": "west", "isbn": "a"]]) == 1)
      #expect(
        recorder.takeStatements() == [
          #"DELETE FROM "review" WHERE "id" IN (?, ?)"#,
          #"DELETE FROM "country" WHERE "code" IN (?, ?)"#,
          #"DELETE FROM "stock" WHERE (("shop" = ?) AND ("isbn" = ?)) "#
            + #"OR (("shop" = ?) AND ("isbn" = ?))"#,
        ])
      #expect(try Review.deleteAll(db) == 2)
      #expect(recorder.takeStatements() == [#"DELETE FROM "review""#])
      #expect(try Review.fetchCount(db) == 0)
    }
  }

  @Test func `Rows that a trigger keeps are not counted, whatever it writes`() throws {
    try inBookshop { db, _ throws in
      try db.execute(
        sql: """
          CREATE TABLE log (reviewId INTEGER);
          CREATE TRIGGER keep BEFORE DELETE ON review BEGIN
            INSERT INTO log VALUES (OLD.id);
            SELECT RAISE(IGNORE);
          END;
          CREATE TRIGGER keepScore BEFORE UPDATE ON review BEGIN
            INSERT INTO log VALUES (OLD.id);
            SELECT RAISE(IGNORE);
          END;
          """)
      #expect(try !Review.deleteOne(db, key: 1))
      #expect(try !Review.find(db, key: 1).delete(db))
      #expect(try Review.deleteAll(db, ids: [1, 2]) == 0)
      #expect(try Review.deleteAll(db) == 0)
      #expect(try Review.updateAll(db, Column("score").set(to: 1)) == 0)
      #expect(try Review.order(Column("id")).fetchAll(db).map(\.score) == [5, 3, 4])
      let logged = try Int.fetchAll(db, sql: "SELECT reviewId FROM log ORDER BY rowid")
      #expect(logged == [1, 1, 1, 2, 1, 2, 3, 1, 2, 3])
    }
  }

  @Test func `The existence of a key is asked for`() throws {
    try inBookshop { db, recorder throws in
      #expect(try Country.exists(db, key: "FR"))
      #expect(try !Country.exists(db, key: "XX"))
      #expect(try Author.exists(db, id: 3))
      #expect(try !Stock.exists(db, key: ["shop": "south", "isbn": "b"]))
      #expect(try Member.exists(db, key: ["email": nil]))
      #expect(
        recorder.takeStatements() == [
          #"SELECT EXISTS (SELECT * FROM "country" WHERE "code" = ?)"#,
          #"SELECT EXISTS (SELECT * FROM "country" WHERE "code" = ?)"#,
          #"SELECT EXISTS (SELECT * FROM "author" WHERE "id" = ?)"#,
          #"SELECT EXISTS (SELECT * FROM "stock" WHERE ("shop" = ?) AND ("isbn" = ?))"#,
          #"SELECT EXISTS (SELECT * FROM "member" WHERE "email" IS NULL)"#,
        ])
    }
  }

  @Test func `A key that is violated, or wrong, is reported`() throws {
    try inBookshop { db, _ throws in
      for delete in [
        { try _ = Author.deleteOne(db, id: 1) }, { try _ = Author.deleteAll(db, ids: [1, 2]) },
        { try _ = Author.deleteAll(db) },
      ] {
        #expect(databaseError(delete)?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      }
      #expect(try Author.fetchCount(db) == 3)
      #expect(
        errorText { try Stock.deleteOne(db, key: ["qty": 1]) }?
          .contains("table stock has no unique key on column(s) qty") == true)
      #expect(
        errorText { try Stock.deleteAll(db, keys: [1]) }?
          .contains("requires a single-column primary key in the table 'stock'") == true)
    }
  }
}

import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

struct TriggerTests {
  typealias Definition = (TriggerDefinition<Book>) -> Void

  /// The SQL of the trigger of the bookshop.
  private func sql(
    _ timing: TriggerTiming, _ event: TriggerEvent, options: TriggerOptions = [],
    _ body: Definition
  ) throws -> String {
    try withBookshop { db in
      try db.create(trigger: "t", timing, event, on: Book.self, options: options, body: body)
      let schema = options.contains(.temporary) ? "temp" : "main"
      return try String.fetchOne(
        db, sql: "SELECT sql FROM \(schema).sqlite_master WHERE name = 't'") ?? ""
    }
  }

  @Test func `each event has its trigger`() throws {
    let body: Definition = { $0.execute(sql: "DELETE FROM note;") }
    let insert = try sql(.before, .insert, body)
    #expect(
      insert == """
        CREATE TRIGGER "t" BEFORE INSERT ON "book" BEGIN
            DELETE FROM note;
        END
        """)
    let delete = try sql(.after, .delete, options: .ifNotExists, body)
    #expect(delete.hasPrefix(#"CREATE TRIGGER "t" AFTER DELETE ON "book" BEGIN"#))
    let update = try sql(.after, .update, options: .temporary, body)
    #expect(update.hasPrefix(#"CREATE TRIGGER "t" AFTER UPDATE ON "book" BEGIN"#))
    let columns = try sql(.after, .update(of: ["title", "year"]), body)
    #expect(columns.hasPrefix(#"CREATE TRIGGER "t" AFTER UPDATE OF "title", "year" ON "book" "#))
  }

  @Test func `the body is made of requests and SQL, over the rows before and after the change`()
    throws
  {
    let text = try sql(.after, .update) { t in
      t.when(t.new["price"] > t.old["price"])
      t.when(sql: "NEW.year > 2000")
      t.update(
        Author.filter(Author.Columns.id == t.new[Book.Columns.authorId]),
        [Author.Columns.birthYear += 1])
      t.delete(Review.filter(Column("bookId") == t.old["id"]).filter(Column("score") < 3))
      t.insert(into: "note", [Column("text").set(to: t.new["title"])], onConflict: .replace)
      t.insert(
        into: "note", columns: ["text"],
        rowsOf: Book.filter(Column("authorId") == t.old["authorId"]).select(Column("title")))
      t.execute(literal: "DELETE FROM tagName WHERE name = \(t.old["title"]) OR name = \("x'y")")
      t.select(SQLRequest<Row>(sql: "SELECT 1"))
      t.raise(.fail, "it's late", when: t.new["year"] == nil)
      t.ignore()
    }
    #expect(
      text == """
        CREATE TRIGGER "t" AFTER UPDATE ON "book" \
        WHEN ("NEW"."price" > "OLD"."price") AND (NEW.year > 2000) BEGIN
            UPDATE "author" SET "birthYear" = "birthYear" + 1 WHERE "id" = "NEW"."authorId";
            DELETE FROM "review" WHERE ("bookId" = "OLD"."id") AND ("score" < 3);
            INSERT OR REPLACE INTO "note" ("text") VALUES ("NEW"."title");
            INSERT INTO "note" ("text") \
        SELECT "title" FROM "book" WHERE "authorId" = "OLD"."authorId";
            DELETE FROM tagName WHERE name = "OLD"."title" OR name = 'x''y';
            SELECT 1;
            SELECT RAISE(FAIL, 'it''s late') WHERE "NEW"."year" IS NULL;
            SELECT RAISE(IGNORE);
        END
        """)
  }

  @Test func `comments at the end of SQL hide nothing that follows`() throws {
    let text = try sql(.after, .update) { t in
      t.when(sql: "NEW.year > 2000 -- new")
      t.execute(sql: "DELETE FROM note -- all")
      t.execute(sql: "DELETE FROM review; -- all")
      t.execute(literal: "DELETE FROM tagName WHERE name = \("x") -- one")
      t.execute(sql: "DELETE FROM tagName /* all")
    }
    #expect(
      text == """
        CREATE TRIGGER "t" AFTER UPDATE ON "book" WHEN NEW.year > 2000 -- new
         BEGIN
            DELETE FROM note -- all
        ;
            DELETE FROM review -- all
        ;
            DELETE FROM tagName WHERE name = 'x' -- one
        ;
            DELETE FROM tagName /* all */;
        END
        """)
  }

  /// SQLite has no limits in triggers.
  @Test func `limited updates and deletions find their rows by key`() throws {
    try withBookshop { db in
      try db.create(trigger: "t", .after, .insert, on: "note") { t in
        t.delete(Review.order(Column("score")).limit(1))
        t.update(Book.order(Column("year").desc).limit(1), [Column("price").set(to: 1)])
      }
      try #expect(
        String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 't'") == """
          CREATE TRIGGER "t" AFTER INSERT ON "note" BEGIN
              DELETE FROM "review" WHERE "id" IN \
          (SELECT "id" FROM "review" ORDER BY "score" LIMIT 1);
              UPDATE "book" SET "price" = 1 WHERE "id" IN \
          (SELECT "id" FROM "book" ORDER BY "year" DESC LIMIT 1);
          END
          """)
      try db.execute(sql: "INSERT INTO note VALUES ('new')")
      let reviews = try Review.order(Column("id")).fetchAll(db)
      #expect(reviews.map(\.id) == [1, 3])
      let books = try Book.order(Column("id")).fetchAll(db)
      #expect(books.map(\.price) == [12.5, 9, 1, nil])
    }
  }

  /// SQLite decides about `UPDATE … AS` in triggers: 3.40.1 refuses it, 3.53.4 has it.
  @Test func `a modified table has another name where SQLite takes it`() throws {
    let (price, name) = (Column("price"), Column("name"))
    let (book, review) = (TableAlias<Book>(name: "b"), TableAlias<Review>(name: "r"))
    let written = Book.aliased(book).joining(required: Book.author)
    let (manager, boss) = (TableAlias<Employee>(), TableAlias<Employee>(name: "boss"))
    try withBookshop { db in
      func create(_ body: (TriggerDefinition<Row>) -> Void) throws {
        try db.create(trigger: "t", .after, .insert, on: "note", body: body)
      }
      let managed = Employee.joining(required: Employee.manager.aliased(manager))
      let statements: [(body: (TriggerDefinition<Row>) -> Void, rows: String, expected: String)] = [
        (
          { $0.update(written, [price.set(to: book[price] + 1)]) },
          "SELECT group_concat(ifnull(price, '-')) FROM book", "13.5,10.0,16.0,-"
        ),
        (
          { $0.delete(Review.aliased(review).filter(review[Column("score")] > 3)) },
          "SELECT group_concat(id) FROM review", "2"
        ),
        (
          { $0.update(managed, [name.set(to: manager[name])]) },
          "SELECT group_concat(name) FROM employee", "Ada,Ada,Ada,Bo"
        ),
      ]
      let named = "CREATE TRIGGER t AFTER INSERT ON note BEGIN UPDATE book AS b SET price = 1; END"
      let takesNames = (try? db.makeStatement(sql: named)) != nil
      for statement in statements {
        guard takesNames else {
          let error = #expect(throws: DatabaseError.self) { try create(statement.body) }
          #expect(error?.message == #"near "AS": syntax error"#)
          continue
        }
        try db.inSavepoint {
          try create(statement.body)
          try db.execute(sql: "INSERT INTO note VALUES ('new')")
          try #expect(String.fetchOne(db, sql: statement.rows) == statement.expected)
          return .rollback
        }
      }
      let bossed = Employee.joining(required: Employee.manager.aliased(boss))
      try create { t in
        t.update(written, [price.set(to: 1)])
        t.update(bossed, [name.set(to: boss[name])])
      }
      try db.execute(sql: "INSERT INTO note VALUES ('new')")
      let books = try Book.order(Column("id")).fetchAll(db)
      #expect(books.map(\.price) == [1, 1, 1, nil])
      let employees = try Employee.order(Column("id")).fetchAll(db)
      #expect(employees.map(\.name) == ["Ada", "Ada", "Ada", "Bo"])
    }
  }

  @Test func `a trigger runs`() throws {
    try withBookshop { db in
      try db.execute(sql: "DELETE FROM note")
      try db.create(trigger: "log", .after, .delete, on: "review") { t in
        t.when(t.old["score"] > 3)
        t.insert(into: "note", [Column("text").set(to: t.old["body"])])
      }
      try db.create(trigger: "keep", .before, .delete, on: "book") { t in
        t.raise(.abort, "books stay", when: t.old["title"] != nil)
      }
      try Review.deleteAll(db)
      try #expect(
        String.fetchSet(db, sql: "SELECT text FROM note WHERE text IS NOT NULL") == [
          "Splendid", "Dreamy",
        ])
      let error = #expect(throws: DatabaseError.self) { try Book.deleteAll(db) }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_TRIGGER)
      #expect(error?.message == "books stay")
      try db.drop(trigger: "keep")
      try #expect(db.triggerExists("log") && !db.triggerExists("keep"))
      try Book.deleteAll(db)
    }
  }

  @Test func `a view is written through its triggers`() throws {
    try withBookshop { db in
      try db.create(trigger: "i", .insteadOf, .insert, on: "bestseller") { t in
        t.insert(
          into: "book",
          [
            Column("title").set(to: t.new["title"]),
            Column("year").set(to: max(t.new["year"], 2001)),
          ])
      }
      try db.execute(sql: "INSERT INTO bestseller (title, year) VALUES ('New', 1990)")
      try #expect(Bestseller.filter(Column("title") == "New").fetchOne(db)?.year == 2001)
    }
  }

  /// SQLite compiles the triggers of an event together.
  @Test func `a trigger is created beside one that does not compile`() throws {
    try withBookshop { db in
      try db.execute(
        sql: """
          CREATE TRIGGER early AFTER INSERT ON book BEGIN
            INSERT INTO later VALUES (NEW.id);
          END
          """)
      try db.create(trigger: "good", .after, .insert, on: "book") { t in
        t.execute(sql: "UPDATE author SET birthYear = 1900")
      }
      let error = #expect(throws: DatabaseError.self) {
        try db.create(trigger: "bad", .after, .insert, on: "book") { t in
          t.execute(sql: "UPDATE nowhere SET birthYear = 1900")
        }
      }
      #expect(error?.message == "no such table: main.nowhere")
      try #expect(
        String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
          == ["early", "good"])
    }
  }

  @Test func `an invalid definition is an error, and nothing is created`() throws {
    try withBookshop { db in
      func message(
        _ timing: TriggerTiming = .after, _ event: TriggerEvent = .insert,
        on table: String = "book",
        _ body: (TriggerDefinition<Row>) -> Void
      ) throws -> String {
        do {
          try db.create(trigger: "t", timing, event, on: table, body: body)
          return "no error"
        } catch let error as InvalidRequest {
          return error.description
        } catch let error as DatabaseError {
          return error.message ?? ""
        }
      }
      try #expect(
        message { _ in }
          == #"a trigger needs at least one statement - in request CREATE TRIGGER "t""#)
      try #expect(
        message { t in t.when(t.old["id"] > 1) }.hasPrefix(
          "the trigger of an insertion has no OLD row"))
      try #expect(
        message(.after, .delete) { t in t.when(t.new["id"] > 1) }.hasPrefix(
          "the trigger of a deletion has no NEW row"))
      try #expect(
        message(.after, .update(of: ["nope"])) { $0.ignore() }.hasPrefix(
          "no such column in book: nope"))
      try #expect(
        message(.after, .update(of: [])) { $0.ignore() }.hasPrefix(
          "UPDATE OF needs at least one column"))
      try #expect(
        message { $0.insert(into: "note", []) }.hasPrefix("an insertion into note needs a value"))
      try #expect(message { $0.execute(sql: "DELETE FROM nope") } == "no such table: main.nope")
      try #expect(
        message { t in t.insert(into: "note", [Column("text").set(to: t.new["nope"])]) }
          == "no such column: NEW.nope")
      try #expect(
        message(.insteadOf) { $0.ignore() } == "cannot create INSTEAD OF trigger on table: book")
      try #expect(
        message(on: "bestseller") { $0.ignore() }
          == "cannot create AFTER trigger on view: bestseller")
      try #expect(message(on: "nope") { $0.ignore() } == "no such table: main.nope")
      try #expect(
        message { $0.execute(literal: SQL(sql: "DELETE FROM note WHERE text = ?", arguments: [1])) }
          == "SQL with arguments can't be part of a definition, which has no parameters: interpolate "
          + "the values in an SQL literal instead")
      try #expect(!db.triggerExists("t"))
    }
  }
}

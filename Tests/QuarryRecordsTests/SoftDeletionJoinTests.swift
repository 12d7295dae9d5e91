import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

struct SoftDeletionJoinTests {
  @Test func `joins have the condition where it keeps the parents`() throws {
    try withSoftRows { db throws in
      let name = Author.select(Column("name")).order(Column("id"))
      try expectRows(
        name.joining(required: Author.books), db,
        """
        SELECT "author"."name" FROM "author" JOIN "book" ON ("book"."authorId" = "author"."id") \
        AND ("book"."deletedAt" IS NULL) WHERE "author"."deletedAt" IS NULL ORDER BY "author"."id"
        """, [#""Austen""#])
      try expectRows(
        name.including(optional: Author.books.select(Column("title"))), db,
        """
        SELECT "author"."name", "book"."title" FROM "author" \
        LEFT JOIN "book" ON ("book"."authorId" = "author"."id") AND ("book"."deletedAt" IS NULL) \
        WHERE "author"."deletedAt" IS NULL ORDER BY "author"."id"
        """, [#""Austen" "Emma""#, #""Brontë" NULL"#])
      try expectRows(
        name.including(optional: Author.books.withDeleted().select(Column("title"))), db,
        """
        SELECT "author"."name", "book"."title" FROM "author" \
        LEFT JOIN "book" ON "book"."authorId" = "author"."id" \
        WHERE "author"."deletedAt" IS NULL ORDER BY "author"."id"
        """, [#""Austen" "Emma""#, #""Austen" "Sanditon""#, #""Brontë" "Villette""#])
    }
  }

  @Test func `right joins leave out deleted rows that they keep`() throws {
    try withSoftRows { db throws in
      try db.execute(sql: "INSERT INTO author VALUES (4, 'Dickens', NULL)")
      try expectRows(
        Book.withDeleted().select(Column("title")).order(Column("id"))
          .including(right: Book.author.select(Column("name"))), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        RIGHT JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."deletedAt" IS NULL) \
        WHERE "author"."deletedAt" IS NULL ORDER BY "book"."id"
        """,
        [
          #"NULL "Dickens""#, #""Emma" "Austen""#, #""Sanditon" "Austen""#,
          #""Villette" "Brontë""#,
        ])
    }
  }

  /// A deleted book is not there: its author is one without a book.
  @Test func `right joins keep the records whose only record is deleted`() throws {
    try withSoftRows { db throws in
      let books = Book.select(Column("title"))
      let name = Book.author.select(Column("name")).order(Column("id"))
      try expectRows(
        books.including(right: name), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        RIGHT JOIN "author" ON ("author"."id" = "book"."authorId") \
        AND ("author"."deletedAt" IS NULL) AND ("book"."deletedAt" IS NULL) \
        WHERE ("book"."deletedAt" IS NULL) AND ("author"."deletedAt" IS NULL) \
        ORDER BY "author"."id"
        """, [#""Emma" "Austen""#, #"NULL "Brontë""#])
      try expectRows(
        books.onlyDeleted().including(right: name.withDeleted()), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        RIGHT JOIN "author" ON ("author"."id" = "book"."authorId") \
        AND (("book"."id" IS NULL) OR ("book"."deletedAt" IS NOT NULL)) \
        WHERE ("book"."id" IS NULL) OR ("book"."deletedAt" IS NOT NULL) \
        ORDER BY "author"."id"
        """, [#""Sanditon" "Austen""#, #""Villette" "Brontë""#, #"NULL "Collins""#])
      try expectRows(
        books.withDeleted().including(right: name.withDeleted()).order(Column("id")), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        RIGHT JOIN "author" ON "author"."id" = "book"."authorId" \
        ORDER BY "book"."id", "author"."id"
        """,
        [
          #""Emma" "Austen""#, #""Sanditon" "Austen""#, #""Villette" "Brontë""#,
          #""Armadale" "Collins""#,
        ])
      #expect(try Book.all().including(right: Book.author).fetchCount(db) == 2)
      // A condition of the request leaves out rows of the result.
      #expect(try Book.filter(Column("id") > 1).including(right: Book.author).fetchCount(db) == 0)
    }
  }

  @Test func `full joins keep the records whose only record is deleted`() throws {
    try withSoftRows { db throws in
      let books = Book.select(Column("title")).order(Column("title"))
      let name = Book.author.withDeleted().select(Column("name")).order(Column("id"))
      try expectRows(
        books.including(full: name), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        FULL JOIN "author" ON ("author"."id" = "book"."authorId") AND ("book"."deletedAt" IS NULL) \
        WHERE "book"."deletedAt" IS NULL ORDER BY "book"."title", "author"."id"
        """,
        [
          #"NULL "Brontë""#, #""Armadale" "Collins""#, #""Beowulf" NULL"#, #""Emma" "Austen""#,
        ])
      try expectRows(
        books.onlyDeleted().including(full: name), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        FULL JOIN "author" ON ("author"."id" = "book"."authorId") \
        AND (("book"."id" IS NULL) OR ("book"."deletedAt" IS NOT NULL)) \
        WHERE ("book"."id" IS NULL) OR ("book"."deletedAt" IS NOT NULL) \
        ORDER BY "book"."title", "author"."id"
        """, [#"NULL "Collins""#, #""Sanditon" "Austen""#, #""Villette" "Brontë""#])
      #expect(try books.withDeleted().including(full: name).fetchCount(db) == 5)
    }
  }

  /// The second join does not match an author by a deleted book, either.
  @Test func `right joins behind other joins match no deleted record`() throws {
    try withSoftRows { db throws in
      try db.execute(
        sql: """
          CREATE TABLE city (id INTEGER PRIMARY KEY, authorId INTEGER);
          INSERT INTO city VALUES (1, 1), (2, 2);
          """)
      let city = Author.hasOne(
        Table("city"), key: "city", using: ForeignKey(["authorId"], to: ["id"])
      ).order(Column("id"))
      let request = Book.select(Column("title"))
        .including(
          optional: Book.author.select(Column("name")).including(right: city.select(Column("id"))))
      try expectRows(
        request, db,
        """
        SELECT "book"."title", "author"."name", "city"."id" FROM "book" \
        LEFT JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."deletedAt" IS NULL) \
        RIGHT JOIN "city" ON ("city"."authorId" = "author"."id") AND ("book"."deletedAt" IS NULL) \
        WHERE "book"."deletedAt" IS NULL ORDER BY "city"."id"
        """, [#""Emma" "Austen" 1"#, "NULL NULL 2"])
    }
  }

  @Test func `two associations of one key have one condition`() throws {
    try withSoftRows { db throws in
      try expectRows(
        Book.select(Column("title")).joining(required: Book.author).including(
          optional: Book.author.select(Column("name"))), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."deletedAt" IS NULL) \
        WHERE "book"."deletedAt" IS NULL
        """, [#""Emma" "Austen""#])
    }
  }
}

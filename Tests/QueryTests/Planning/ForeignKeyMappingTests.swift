import QuarryTestSupport
import Testing

@testable import Quarry

private let people = Table("person")
private let books = Table("book")
private let views = Table("personView")
private let bookViews = Table("bookView")

private let schema = LiteralSchemaReader([
  LiteralTable("person", ["id": "INTEGER"], primaryKey: ["id"]),
  LiteralTable(
    "book", ["authorId": "INTEGER", "translatorId": "INTEGER", "note": "TEXT"],
    foreignKeys: [
      .init(["authorId"], "person", ["id"]), .init(["translatorId"], "person", ["id"]),
    ]),
  LiteralTable("stock", ["shop": "", "isbn": ""], primaryKey: ["shop", "isbn"]),
  LiteralTable("personView", ["id": "INTEGER"], kind: .view),
  LiteralTable("bookView", ["authorId": "INTEGER"], kind: .view),
])

/// The columns of joins.
struct ForeignKeyMappingTests {
  @Test func `foreign keys are found in both directions`() throws {
    #expect(
      try sql(of: Book.joining(required: Book.author)).sql == """
        SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId"
        """)
    #expect(
      try sql(of: Author.joining(required: Author.books)).sql == """
        SELECT "author".* FROM "author" JOIN "book" ON "book"."authorId" = "author"."id"
        """)
    #expect(
      try sql(of: Author.joining(required: Author.oneBook)).sql == """
        SELECT "author".* FROM "author" JOIN "book" ON "book"."authorId" = "author"."id"
        """)
  }

  @Test func `foreign keys of several columns`() throws {
    #expect(
      try sql(of: Stock.joining(required: Stock.moves)).sql == """
        SELECT "stock".* FROM "stock" JOIN "stockMove" \
        ON ("stockMove"."shop" = "stock"."shop") AND ("stockMove"."isbn" = "stock"."isbn")
        """)
  }

  @Test func `names are case insensitive`() throws {
    let request = Table("BOOK").joining(
      required: Table("BOOK").belongsTo(Table("AUTHOR"), using: ForeignKey(["AUTHORID"])))
    #expect(
      try sql(of: request).sql == """
        SELECT "BOOK".* FROM "BOOK" JOIN "AUTHOR" ON "AUTHOR"."id" = "BOOK"."authorId"
        """)
  }

  @Test(arguments: [
    (ForeignKey(["authorId"]), #""person"."id" = "book"."authorId""#),
    (ForeignKey([Column("translatorId")]), #""person"."id" = "book"."translatorId""#),
    (ForeignKey(["TRANSLATORID"], to: ["ID"]), #""person"."ID" = "book"."TRANSLATORID""#),
    // Columns without foreign key refer to the primary key.
    (ForeignKey(["note"]), #""person"."id" = "book"."note""#),
    // Full foreign keys need no schema.
    (ForeignKey(["a"], to: ["b"]), #""person"."b" = "book"."a""#),
    (
      ForeignKey(["a", "b"], to: ["c", "d"]),
      #"("person"."c" = "book"."a") AND ("person"."d" = "book"."b")"#
    ),
  ])
  func `explicit columns`(_ foreignKey: ForeignKey, condition: String) throws {
    let author = books.belongsTo(people, using: foreignKey)
    #expect(
      try sql(of: books.joining(required: author), schema: schema).sql
        == "SELECT \"book\".* FROM \"book\" JOIN \"person\" ON \(condition)")
  }

  @Test func `several foreign keys are ambiguous`() throws {
    let sentence = """
      Ambiguous foreign key from 'book' to 'person'. To fix this error, provide an explicit \
      `ForeignKey` in the association definition. \
      Candidates: ForeignKey(["authorId"], to: ["id"]), ForeignKey(["translatorId"], to: ["id"]).
      """
    #expect(
      try invalidity(
        of: sql(of: books.joining(required: books.belongsTo(people)), schema: schema))
        == sentence)
    #expect(
      try invalidity(
        of: sql(of: people.joining(required: people.hasMany(books)), schema: schema))
        == sentence)
  }

  @Test(arguments: [
    books.joining(required: books.hasMany(people)),
    people.joining(optional: people.belongsTo(books)),
    books.joining(required: books.belongsTo(Table("stock"), using: ForeignKey(["note"]))),
    bookViews.joining(required: bookViews.belongsTo(people)),
    books.joining(required: books.belongsTo(views)),
  ])
  func `missing foreign keys are reported`(_ request: QueryInterfaceRequest<Row>) throws {
    let message = try #require(try invalidity(of: sql(of: request, schema: schema)))
    #expect(message.hasPrefix("Could not infer foreign key from '"))
    #expect(
      message.contains(
        "To fix this error, provide an explicit `ForeignKey` in the association definition. "))
    #expect(message.contains(" has no foreign key.") || message.contains(" has the foreign keys: "))
  }

  @Test func `views need their columns`() throws {
    let fromView = bookViews.belongsTo(people, using: ForeignKey(["authorId"]))
    #expect(
      try sql(of: bookViews.joining(required: fromView), schema: schema).sql == """
        SELECT "bookView".* FROM "bookView" JOIN "person" ON "person"."id" = "bookView"."authorId"
        """)
    let toView = books.belongsTo(views, using: ForeignKey(["authorId"]))
    #expect(
      try invalidity(of: sql(of: books.joining(required: toView), schema: schema)) == """
        Could not infer foreign key from 'book' to 'personView'. To fix this error, provide an \
        explicit `ForeignKey` in the association definition, with both origin and destination \
        columns.
        """)
    let both = books.belongsTo(views, using: ForeignKey(["authorId"], to: ["id"]))
    #expect(
      try sql(of: books.joining(required: both), schema: schema).sql == """
        SELECT "book".* FROM "book" JOIN "personView" ON "personView"."id" = "book"."authorId"
        """)
  }

  @Test func `numbers of columns must match`() throws {
    let association = books.belongsTo(people, using: ForeignKey(["a", "b"], to: ["id"]))
    #expect(
      try invalidity(of: sql(of: books.joining(required: association), schema: schema))
        == "Number of columns don't match")
  }

  @Test(arguments: [
    Table("nope").joining(required: Table("nope").belongsTo(people)),
    books.joining(required: books.belongsTo(Table("nope"))),
  ])
  func `unknown tables`(_ request: QueryInterfaceRequest<Row>) {
    #expect {
      try sql(of: request, schema: schema)
    } throws: { error in
      (error as? DatabaseError)?.message == "no such table: nope"
    }
  }
}

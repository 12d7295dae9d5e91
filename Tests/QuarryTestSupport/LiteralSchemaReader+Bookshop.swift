extension LiteralSchemaReader {
  /// The schema of the examples: authors, publishers, books, their reviews, and the stock of shops.
  public static let bookshop = LiteralSchemaReader([
    LiteralTable(
      "author",
      ["id": "INTEGER", "name": "TEXT", "country": "TEXT", "birthYear": "INTEGER"],
      primaryKey: ["id"]),
    LiteralTable(
      "publisher", ["id": "INTEGER", "name": "TEXT", "city": "TEXT"], primaryKey: ["id"]),
    LiteralTable(
      "book",
      [
        "id": "INTEGER", "title": "TEXT", "year": "INTEGER", "price": "DOUBLE",
        "authorId": "INTEGER", "publisherId": "INTEGER",
      ],
      primaryKey: ["id"],
      foreignKeys: [
        .init(["publisherId"], "publisher", ["id"]),
        .init(["authorId"], "author", ["id"]),
      ]),
    LiteralTable(
      "review", ["id": "INTEGER", "bookId": "INTEGER", "score": "INTEGER", "body": "TEXT"],
      primaryKey: ["id"],
      foreignKeys: [.init(["bookId"], "book", ["id"])]),
    LiteralTable("country", ["code": "TEXT", "name": "TEXT"], primaryKey: ["code"]),
    LiteralTable(
      "stock", ["shop": "TEXT", "isbn": "TEXT", "qty": "INTEGER"], primaryKey: ["shop", "isbn"]),
    LiteralTable(
      "stockMove", ["id": "INTEGER", "shop": "TEXT", "isbn": "TEXT", "delta": "INTEGER"],
      primaryKey: ["id"],
      foreignKeys: [.init(["shop", "isbn"], "stock", ["shop", "isbn"])]),
    LiteralTable(
      "shelf", ["room": "TEXT", "num": "INTEGER", "label": "TEXT"],
      primaryKey: ["room", "num"], kind: .withoutRowID),
    LiteralTable("tagName", ["name": "TEXT"], primaryKey: ["name"], kind: .withoutRowID),
    LiteralTable("note", ["text": "TEXT"]),
    LiteralTable("member", ["email": "TEXT", "nick": "TEXT"], uniqueKeys: [["email"]]),
    LiteralTable(
      "employee", ["id": "INTEGER", "name": "TEXT", "managerId": "INTEGER"],
      primaryKey: ["id"],
      foreignKeys: [.init(["managerId"], "employee", ["id"])]),
    LiteralTable(
      "bestseller",
      [
        "id": "INTEGER", "title": "TEXT", "year": "INTEGER", "price": "DOUBLE",
        "authorId": "INTEGER", "publisherId": "INTEGER",
      ],
      kind: .view),
  ])
}

import Quarry
import QuarryTestSupport
import Testing

/// 'HasOneThrough': a book returns to the address of its library.
struct HasOneThrough {
  struct Book: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let library = belongsTo(Library.self)
    static let returnAddress: HasOneThroughAssociation<Book, Address> =
      hasOne(Address.self, through: library, using: Library.address)
    static let explicitReturnAddress = hasOne(
      Address.self,
      through: Book.belongsTo(Library.self),
      using: Library.hasOne(Address.self))

    var id: Int64
    var libraryId: Int64?
  }

  struct Library: TableRecord {
    static let address = hasOne(Address.self)
  }

  struct Address: Codable, Equatable, FetchableRecord, TableRecord {
    var street: String
  }

  @Test(arguments: [Book.returnAddress, Book.explicitReturnAddress])
  func returnAddresses(_ association: HasOneThroughAssociation<Book, Address>) throws {
    struct BookInfo: Decodable, Equatable, FetchableRecord {
      var book: Book
      var address: Address?
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE library (id INTEGER PRIMARY KEY);
        CREATE TABLE address (libraryId INTEGER NOT NULL REFERENCES library(id), street TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, libraryId INTEGER REFERENCES library(id));
        INSERT INTO library VALUES (1), (2);
        INSERT INTO address VALUES (1, 'Elm Street');
        INSERT INTO book VALUES (1, 1), (2, 2), (3, NULL);
        """)
    try dbQueue.read { db throws in
      let request = Book.including(optional: association).orderByPrimaryKey()
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".*, "address".* FROM "book" \
            LEFT JOIN "library" ON "library"."id" = "book"."libraryId" \
            LEFT JOIN "address" ON "address"."libraryId" = "library"."id" ORDER BY "book"."id"
            """))
      #expect(
        try BookInfo.fetchAll(db, request) == [
          BookInfo(book: Book(id: 1, libraryId: 1), address: Address(street: "Elm Street")),
          BookInfo(book: Book(id: 2, libraryId: 2), address: nil),
          BookInfo(book: Book(id: 3, libraryId: nil), address: nil),
        ])
      let addresses = try [1, 2, nil].map { libraryId in
        try Book(id: 0, libraryId: libraryId).request(for: association).fetchOne(db)
      }
      #expect(addresses == [Address(street: "Elm Street"), nil, nil])
    }
  }
}

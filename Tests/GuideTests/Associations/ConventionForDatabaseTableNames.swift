import Quarry
import QuarryTestSupport
import Testing

/// 'Convention for Database Table Names': English, singular, camel case; and what to do otherwise.
struct ConventionForDatabaseTableNames {
  // Setup for table names that does not follow the expected convention

  struct DeliveryAddress: Codable, Equatable, FetchableRecord, TableRecord {
    // Customized table name
    static let databaseTableName = "delivery_address"

    var id: Int64
    var city: String
  }

  struct Publisher: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String
    var deliveryAddressId: Int64
  }

  @Test func `a customized table name takes a customized key`() throws {
    struct PublisherInfo: Decodable, Equatable, FetchableRecord {
      var publisher: Publisher
      var deliveryAddress: DeliveryAddress
    }
    // Customized association key
    let deliveryAddress = Publisher.belongsTo(DeliveryAddress.self, key: "deliveryAddress")
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE delivery_address (id INTEGER PRIMARY KEY, city TEXT NOT NULL);
        CREATE TABLE publisher (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL,
          deliveryAddressId INTEGER NOT NULL REFERENCES delivery_address(id));
        INSERT INTO delivery_address VALUES (7, 'Lisbon');
        INSERT INTO publisher VALUES (1, 'Meridian', 7);
        """)
    try dbQueue.read { db in
      let request = Publisher.including(required: deliveryAddress)
      try #expect(
        PublisherInfo.fetchAll(db, request) == [
          PublisherInfo(
            publisher: Publisher(id: 1, name: "Meridian", deliveryAddressId: 7),
            deliveryAddress: DeliveryAddress(id: 7, city: "Lisbon"))
        ])
      // Without the key, the scope has the name of the table.
      let row = try Row.fetchOne(
        db, Publisher.including(required: Publisher.belongsTo(DeliveryAddress.self)))
      #expect(row?.scopes.names == ["delivery_address"])
    }
  }

  struct Owner: TableRecord {
    static let books = hasMany(Book.self)
    static let lineItems = hasMany(LineItem.self)
    static let mice = hasMany(Mouse.self)
    static let people = hasMany(Person.self)
  }

  struct Book: TableRecord {}
  struct LineItem: TableRecord {}
  struct Mouse: TableRecord {}
  struct Person: TableRecord {}

  static func makeOwners() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE owner (id INTEGER PRIMARY KEY);
        CREATE TABLE book (id INTEGER PRIMARY KEY, ownerId INTEGER REFERENCES owner(id));
        CREATE TABLE lineItem (
          id INTEGER PRIMARY KEY, ownerId INTEGER REFERENCES owner(id), price INTEGER);
        CREATE TABLE mouse (
          id INTEGER PRIMARY KEY, ownerId INTEGER REFERENCES owner(id), size INTEGER);
        CREATE TABLE person (id INTEGER PRIMARY KEY, ownerId INTEGER REFERENCES owner(id));
        INSERT INTO owner VALUES (1);
        INSERT INTO book VALUES (1, 1), (2, 1);
        INSERT INTO lineItem VALUES (1, 1, 5), (2, 1, 6);
        INSERT INTO mouse VALUES (1, 1, 3), (2, 1, 4);
        INSERT INTO person VALUES (1, 1), (2, NULL);
        """)
  }

  /// The table of derived identifiers.
  @Test func `keys are derived from the singular and the plural of the type`() throws {
    #expect(Book.databaseTableName == "book")
    #expect(LineItem.databaseTableName == "lineItem")
    #expect(Mouse.databaseTableName == "mouse")
    #expect(Person.databaseTableName == "person")
    try Self.makeOwners().read { db in
      let toMany = try Row.fetchOne(
        db,
        Owner.including(all: Owner.books).including(all: Owner.lineItems)
          .including(all: Owner.mice).including(all: Owner.people))
      #expect(toMany?.prefetchedRows.keys == ["books", "lineItems", "mice", "people"])
      let toOne = try Row.fetchOne(
        db,
        Owner.including(required: Owner.hasOne(Book.self))
          .including(required: Owner.hasOne(LineItem.self))
          .including(required: Owner.hasOne(Mouse.self))
          .including(required: Owner.hasOne(Person.self)))
      #expect(toOne?.scopes.names.sorted() == ["book", "lineItem", "mouse", "person"])
    }
  }

  @Test func `names of aggregates are derived from the singular of the key`() throws {
    struct OwnerInfo: Decodable, Equatable, FetchableRecord {
      var bookCount: Int
      var lineItemPriceSum: Int
      var maxMouseSize: Int
      var personCount: Int
    }
    try Self.makeOwners().read { db in
      let request = Owner.annotated(
        with: Owner.books.count, Owner.mice.max(Column("size")), Owner.people.count)
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row.description == "[id:1 bookCount:2 maxMouseSize:4 personCount:1]")
      // A sum counts its rows once only when nothing else multiplies them.
      let sum = Owner.annotated(with: Owner.lineItems.sum(Column("price")))
      let sumRow = try #require(try Row.fetchOne(db, sum))
      #expect(sumRow.description == "[id:1 lineItemPriceSum:11]")
    }
  }

  struct Auteur: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
  }

  struct Boek: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var auteurId: Int64
  }

  /// Words of other languages are taught.
  @Test func `an irregular suffix teaches a word of another language`() throws {
    struct AuteurInfo: Decodable, Equatable, FetchableRecord {
      var auteur: Auteur
      var boeken: [Boek]
    }
    // No other test knows these words.
    Inflections.default.irregularSuffix("boek", "boeken")
    let boeken = Auteur.hasMany(Boek.self)
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE auteur (id INTEGER PRIMARY KEY);
        CREATE TABLE boek (id INTEGER PRIMARY KEY, auteurId INTEGER NOT NULL REFERENCES auteur(id));
        INSERT INTO auteur VALUES (1);
        INSERT INTO boek VALUES (1, 1), (2, 1);
        """)
    try dbQueue.read { db in
      let infos = try AuteurInfo.fetchAll(db, Auteur.including(all: boeken.order(Column("id"))))
      #expect(
        infos == [
          AuteurInfo(
            auteur: Auteur(id: 1), boeken: [Boek(id: 1, auteurId: 1), Boek(id: 2, auteurId: 1)])
        ])
      let count = try Row.fetchOne(db, Auteur.annotated(with: boeken.count))
      #expect(count?.description == "[id:1 boekCount:2]")
    }
  }
}

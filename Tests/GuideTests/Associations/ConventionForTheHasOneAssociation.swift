import Quarry
import QuarryTestSupport
import Testing

/// 'Convention for the HasOne Association': the recommended migration, and schemas without foreign
/// keys.
struct ConventionForTheHasOneAssociation {
  struct Terms: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    var publisherCode: String?
    var days: Int?
    var discount: Double?
  }

  struct Publisher: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let terms = hasOne(Terms.self)

    var code: String
    var name: String?
  }

  struct PublisherInfo: Decodable, Equatable, FetchableRecord {
    var publisher: Publisher
    var term: Terms?
  }

  static let meridian = Publisher(code: "ME", name: "Meridian")
  static let quayside = Publisher(code: "QU", name: "Quayside")
  static let contract = Terms(publisherCode: "ME", days: 67, discount: 122.5)

  static func makeTrade() throws -> DatabaseQueue {
    let dbQueue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Trade") { db in
      try db.create(table: "publisher") { t in
        t.primaryKey("code", .text)
        t.column("name", .text)
      }
      try db.create(table: "terms") { t in
        t.autoIncrementedPrimaryKey("id")
        // Unique: a publisher has one contract with the shop.
        t.column("publisherCode", .text).references("publisher", onDelete: .cascade)
          .unique().notNull()
        t.column("days", .integer)
        t.column("discount", .double)
      }
    }
    try migrator.migrate(dbQueue)
    try dbQueue.write { db in
      try meridian.insert(db)
      try quayside.insert(db)
      var terms = contract
      try terms.insert(db)
    }
    return dbQueue
  }

  @Test func `the recommended migration makes a unique foreign key that is not null`() throws {
    try Self.makeTrade().write { db in
      try #expect(db.primaryKey("publisher").columns == ["code"])
      try #expect(db.columns(in: "terms").map(\.isNotNull) == [false, true, false, false])
      try #expect(db.table("terms", hasUniqueKey: ["publisherCode"]))
      var second = Self.contract
      #expect(
        databaseError { try second.insert(db) }?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      var stray = Terms(publisherCode: "XX")
      #expect(
        databaseError { try stray.insert(db) }?.extendedResultCode
          == .SQLITE_CONSTRAINT_FOREIGNKEY)
      try Self.meridian.delete(db)
      try #expect(Terms.fetchCount(db) == 0)
    }
  }

  @Test func `a plural table name makes a singular key`() throws {
    try Self.makeTrade().read { db in
      let request = Publisher.including(optional: Publisher.terms).order(Column("code"))
      try #expect(
        PublisherInfo.fetchAll(db, request) == [
          PublisherInfo(publisher: Self.meridian, term: Self.contract),
          PublisherInfo(publisher: Self.quayside, term: nil),
        ])
    }
  }

  @Test func `a foreign key that the schema lacks is given to the association`() throws {
    let terms = Publisher.hasOne(
      Terms.self, key: "term", using: ForeignKey(["publisherCode"]))
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE publisher (code TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE terms (publisherCode TEXT, days INTEGER, discount DOUBLE);
        INSERT INTO publisher VALUES ('ME', 'Meridian'), ('QU', 'Quayside');
        INSERT INTO terms VALUES (NULL, 1, 1), ('ME', 67, 122.5);
        """)
    try dbQueue.read { db in
      let request = Publisher.including(optional: terms).order(Column("code"))
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "publisher".*, "terms".* FROM "publisher" \
          LEFT JOIN "terms" ON "terms"."publisherCode" = "publisher"."code" \
          ORDER BY "publisher"."code"
          """)
      try #expect(
        PublisherInfo.fetchAll(db, request) == [
          PublisherInfo(publisher: Self.meridian, term: Self.contract),
          PublisherInfo(publisher: Self.quayside, term: nil),
        ])
      let inferred = Publisher.including(optional: Publisher.terms)
      let error = errorText { try inferred.fetchAll(db) }
      #expect(
        error?.contains("Could not infer foreign key from 'terms' to 'publisher'") == true)
    }
  }
}

import Quarry
import QuarryTestSupport
import Testing

/// 'Columns Selected by an Association'.
struct ColumnsSelectedByAnAssociation {
  struct Publisher: TableRecord {}

  struct Edition: TableRecord {
    static let publisher = belongsTo(Publisher.self)
    static let briefPublisher = belongsTo(BriefPublisher.self)
  }

  /// Selects some columns, wherever it is included.
  struct BriefPublisher: TableRecord {
    static let databaseTableName = "publisher"
    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("name")] }
  }

  static func makeCatalog() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT, history TEXT);
        CREATE TABLE edition (id INTEGER PRIMARY KEY, publisherId INTEGER REFERENCES publisher(id));
        INSERT INTO publisher VALUES (1, 'Meridian', 'Founded in 1931...');
        INSERT INTO edition VALUES (2, 1);
        """)
  }

  @Test func `an association selects all columns by default`() throws {
    try Self.makeCatalog().read { db in
      let request = Edition.including(required: Edition.publisher)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "publisher".* FROM "edition" \
          JOIN "publisher" ON "publisher"."id" = "edition"."publisherId"
          """)
      let row = try Row.fetchOne(db, request)
      #expect(row?.description == "[id:2 publisherId:1]")
      #expect(
        row?.scopes["publisher"]?.description
          == #"[id:1 name:"Meridian" history:"Founded in 1931..."]"#)
    }
  }

  @Test func `select restricts the columns of an association`() throws {
    try Self.makeCatalog().read { db in
      let restrictedPublisher = Edition.publisher.select(Column("id"), Column("name"))
      let request = Edition.including(required: restrictedPublisher)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "publisher"."id", "publisher"."name" FROM "edition" \
          JOIN "publisher" ON "publisher"."id" = "edition"."publisherId"
          """)
      let row = try Row.fetchOne(db, request)
      #expect(row?.scopes["publisher"]?.description == #"[id:1 name:"Meridian"]"#)
    }
  }

  @Test func `an association selects the columns of databaseSelection`() throws {
    try Self.makeCatalog().read { db in
      let request = Edition.including(required: Edition.briefPublisher)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "publisher"."id", "publisher"."name" FROM "edition" \
          JOIN "publisher" ON "publisher"."id" = "edition"."publisherId"
          """)
      let row = try Row.fetchOne(db, request)
      #expect(row?.scopes["publisher"]?.description == #"[id:1 name:"Meridian"]"#)
    }
  }
}

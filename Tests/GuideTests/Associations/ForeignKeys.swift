import Quarry
import QuarryTestSupport
import Testing

/// 'Foreign Keys': inferred from the schema, or given where the schema has none, or several.
struct ForeignKeys {
  enum Inferred {
    struct Transfer: Decodable, TableRecord, FetchableRecord {
      static let origin = belongsTo(Origin.self)

      var content: String
    }

    struct Origin: Decodable, TableRecord, FetchableRecord {
      static let transfers = hasMany(Transfer.self)

      var name: String
    }
  }

  @Test func `associations infer the only foreign key between two tables`() throws {
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE origin (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE transfer (content TEXT NOT NULL, originId INTEGER REFERENCES origin);
        INSERT INTO origin VALUES (1, 'Harbor'), (2, 'Attic');
        INSERT INTO transfer VALUES ('Maps', 2);
        """)
    try dbQueue.read { db in
      let transfers = Inferred.Transfer.joining(required: Inferred.Transfer.origin)
      try #expect(transfers.fetchAll(db).map(\.content) == ["Maps"])
      let warehouses = Inferred.Origin.joining(required: Inferred.Origin.transfers)
      try #expect(warehouses.fetchAll(db).map(\.name) == ["Attic"])
      try #expect(
        sql(of: transfers, in: db).sql
          == """
          SELECT "transfer".* FROM "transfer" JOIN "origin" \
          ON "origin"."id" = "transfer"."originId"
          """)
      try #expect(
        sql(of: warehouses, in: db).sql
          == """
          SELECT "origin".* FROM "origin" JOIN "transfer" \
          ON "transfer"."originId" = "origin"."id"
          """)
    }
  }

  struct Transfer: Decodable, Equatable, TableRecord, FetchableRecord {
    // Two foreign keys lead to the same table: each association has its own.
    static let originForeignKey = ForeignKey(["originId"])
    static let origin = belongsTo(Warehouse.self, using: originForeignKey)

    static let destinationForeignKey = ForeignKey(["destinationId"])
    static let destination = belongsTo(
      Warehouse.self, key: "destination", using: destinationForeignKey)

    static let ambiguous = belongsTo(Warehouse.self)

    var content: String
  }

  struct Warehouse: Decodable, Equatable, TableRecord, FetchableRecord {
    static let departures = hasMany(Transfer.self, using: Transfer.originForeignKey)
    static let arrivals = hasMany(
      Transfer.self, key: "arrivals", using: Transfer.destinationForeignKey)

    static let ambiguous = hasMany(Transfer.self)

    var name: String
  }

  static let rows = """
    INSERT INTO warehouse VALUES (1, 'Harbor'), (2, 'Attic'), (3, 'Cellar');
    INSERT INTO transfer VALUES
      ('Birds', 2, NULL), ('Maps', 1, 3);
    """

  static func makeDepot() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE warehouse (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE transfer (
          content TEXT NOT NULL, originId INTEGER REFERENCES warehouse(id),
          destinationId INTEGER REFERENCES warehouse(id));
        """ + rows)
  }

  @Test func `an ambiguous foreign key throws an error that lists the candidates`() throws {
    try Self.makeDepot().read { db in
      for error in [
        errorText { try Transfer.including(required: Transfer.ambiguous).fetchAll(db) },
        errorText { try Warehouse.including(required: Warehouse.ambiguous).fetchAll(db) },
        errorText { try Warehouse.including(all: Warehouse.ambiguous).fetchAll(db) },
      ] {
        let error = try #require(error)
        #expect(error.contains("Ambiguous foreign key from 'transfer' to 'warehouse'"))
        #expect(error.contains("originId"))
        #expect(error.contains("destinationId"))
        #expect(error.contains("`ForeignKey`"))
      }
    }
  }

  @Test func `a missing foreign key throws, and an explicit one needs only its origin columns`()
    throws
  {
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE warehouse (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE transfer (content TEXT NOT NULL, originId INTEGER, destinationId INTEGER);
        """ + Self.rows)
    try dbQueue.read { db in
      let error = errorText { try Transfer.including(required: Transfer.ambiguous).fetchAll(db) }
      #expect(error?.contains("Could not infer foreign key from 'transfer' to 'warehouse'") == true)
      // The columns of the origin are enough: they are paired with the primary key.
      let transfers = try Transfer.joining(required: Transfer.destination).fetchAll(db)
      #expect(transfers == [Transfer(content: "Maps")])
    }
  }

  @Test func `explicit foreign keys separate two associations to one table`() throws {
    try Self.makeDepot().read { db in
      let request = Transfer.order(Column("content"))
        .including(optional: Transfer.origin.forKey("origin"))
        .including(optional: Transfer.destination)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "transfer".*, "warehouse1".*, "warehouse2".* FROM "transfer" \
          LEFT JOIN "warehouse" "warehouse1" ON "warehouse1"."id" = "transfer"."originId" \
          LEFT JOIN "warehouse" "warehouse2" ON "warehouse2"."id" = "transfer"."destinationId" \
          ORDER BY "transfer"."content"
          """)
      let rows = try Row.fetchAll(db, request)
      let origins: [String?] = rows.map { $0.scopes["origin"]?["name"] }
      let destinations: [String?] = rows.map { $0.scopes["destination"]?["name"] }
      #expect(origins == ["Attic", "Harbor"])
      #expect(destinations == [nil, "Cellar"])
    }
  }

  @Test func `both directions of an association share a foreign key`() throws {
    struct WarehouseInfo: Decodable, FetchableRecord {
      var warehouse: Warehouse
      var transfers: [Transfer]
      var arrivals: [Transfer]
    }
    try Self.makeDepot().read { db in
      let request = Warehouse.order(Column("id"))
        .including(all: Warehouse.departures)
        .including(all: Warehouse.arrivals)
      let infos = try WarehouseInfo.fetchAll(db, request)
      #expect(infos.map(\.warehouse.name) == ["Harbor", "Attic", "Cellar"])
      let maps = Transfer(content: "Maps")
      #expect(infos.map(\.transfers) == [[maps], [Transfer(content: "Birds")], []])
      #expect(infos.map(\.arrivals) == [[], [], [maps]])
    }
  }

  enum WithColumns {
    struct Transfer: TableRecord {
      static let originForeignKey = ForeignKey([Columns.originId])
      static let destinationForeignKey = ForeignKey([Columns.destinationId])

      enum Columns: String, ColumnExpression {
        case content, originId, destinationId
      }
    }
  }

  @Test func `a foreign key of columns equals that of their names`() throws {
    #expect(WithColumns.Transfer.originForeignKey == Transfer.originForeignKey)
    #expect(WithColumns.Transfer.destinationForeignKey == Transfer.destinationForeignKey)
    #expect(WithColumns.Transfer.originForeignKey != Transfer.destinationForeignKey)
    let destination = WithColumns.Transfer.belongsTo(
      Warehouse.self, using: WithColumns.Transfer.destinationForeignKey)
    try Self.makeDepot().read { db in
      try #expect(
        sql(of: WithColumns.Transfer.joining(required: destination), in: db).sql == """
          SELECT "transfer".* FROM "transfer" JOIN "warehouse" \
          ON "warehouse"."id" = "transfer"."destinationId"
          """)
    }
  }

  enum Full {
    struct Transfer: Decodable, Equatable, TableRecord, FetchableRecord {
      static let originForeignKey = ForeignKey(["originId"], to: ["id"])
      static let origin = belongsTo(Warehouse.self, using: originForeignKey)

      var content: String
    }

    struct Warehouse: TableRecord {}
  }

  /// When the destination table has no primary key, both sides are needed.
  @Test func `a foreign key to a table without primary key names both sides`() throws {
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE warehouse (id INTEGER, name TEXT NOT NULL);
        CREATE TABLE transfer (content TEXT NOT NULL, originId INTEGER, destinationId INTEGER);
        INSERT INTO warehouse VALUES (12, 'Nobody');
        """ + Self.rows)
    try dbQueue.read { db in
      let request = Full.Transfer.including(required: Full.Transfer.origin)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "transfer".*, "warehouse".* FROM "transfer" \
          JOIN "warehouse" ON "warehouse"."id" = "transfer"."originId"
          """)
      let rows = try Row.fetchAll(db, request.order(Column("content")))
      #expect(rows.map { $0.scopes["warehouse"]?["name"] } == ["Attic", "Harbor"])
    }
  }
}

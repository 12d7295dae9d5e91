import Quarry
import QuarryTestSupport
import Testing

/// 'Ordered Associations': an order that belongs to the definition of an association, and the
/// escape from it.
struct OrderedAssociations {
  enum Direct {
    struct Shelf: Codable, FetchableRecord, TableRecord, EncodableRecord {
      static let volumes = hasMany(Volume.self).order(Column("place"))

      var id: Int64
      var name: String

      var volumes: QueryInterfaceRequest<Volume> {
        request(for: Shelf.volumes)
      }
    }

    struct Volume: Codable, FetchableRecord, TableRecord {
      var id: Int64
      var shelfId: Int64
      var name: String
      var place: Int
    }

    struct ShelfInfo: Decodable, FetchableRecord {
      var shelf: Shelf
      var volumes: [Volume]
    }
  }

  @Test func `the order of a has-many is the default of its requests`() throws {
    typealias Shelf = Direct.Shelf
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE volume (
          id INTEGER PRIMARY KEY, shelfId INTEGER NOT NULL REFERENCES shelf(id), name TEXT NOT NULL,
          place INTEGER NOT NULL);
        INSERT INTO shelf VALUES (1, 'Upper'), (2, 'Lower');
        INSERT INTO volume VALUES
          (1, 1, 'Ants', 11), (2, 1, 'Birds', 2), (3, 2, 'Cats', 1), (4, 1, 'Algae', 7);
        """)
    let shelf = Shelf(id: 1, name: "Upper")
    try dbQueue.read { db in
      // Default ordering by place
      let volumes = try shelf.volumes.fetchAll(db)
      let shelfInfos =
        try Shelf
        .including(all: Shelf.volumes)
        .asRequest(of: Direct.ShelfInfo.self)
        .fetchAll(db)
      #expect(volumes.map(\.name) == ["Birds", "Algae", "Ants"])
      #expect(shelfInfos.map { $0.volumes.map(\.name) } == [["Birds", "Algae", "Ants"], ["Cats"]])
      try #expect(
        sql(of: shelf.volumes, in: db).sql
          == #"SELECT * FROM "volume" WHERE "shelfId" = ? ORDER BY "place""#)

      // Custom ordering
      let custom = try shelf.volumes.order(Column("name")).fetchAll(db)
      let customInfos =
        try Shelf
        .including(all: Shelf.volumes.order(Column("name")))
        .asRequest(of: Direct.ShelfInfo.self)
        .fetchAll(db)
      #expect(custom.map(\.name) == ["Algae", "Ants", "Birds"])
      #expect(
        customInfos.map { $0.volumes.map(\.name) } == [["Algae", "Ants", "Birds"], ["Cats"]])
      try #expect(
        sql(of: shelf.volumes.order(Column("name")), in: db).sql
          == #"SELECT * FROM "volume" WHERE "shelfId" = ? ORDER BY "name""#)
    }
  }

  enum Through {
    struct Shelf: Codable, FetchableRecord, TableRecord, EncodableRecord {
      static let placements = hasMany(Placement.self).order(Column("place"))

      static let volumes = hasMany(Volume.self, through: placements, using: Placement.volume)

      var id: Int64
      var name: String

      var volumes: QueryInterfaceRequest<Volume> {
        request(for: Shelf.volumes)
      }
    }

    struct Placement: Codable, FetchableRecord, TableRecord {
      static let volume = belongsTo(Volume.self)

      var shelfId: Int64
      var volumeId: Int64
      var place: Int
    }

    struct Volume: Codable, FetchableRecord, TableRecord {
      var id: Int64
      var name: String
    }

    struct ShelfInfo: Decodable, FetchableRecord {
      var shelf: Shelf
      var volumes: [Volume]
    }
  }

  @Test func `the order of a join table is the default of the has-many-through`() throws {
    typealias Shelf = Through.Shelf
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE volume (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE placement (
          shelfId INTEGER NOT NULL REFERENCES shelf(id),
          volumeId INTEGER NOT NULL REFERENCES volume(id), place INTEGER NOT NULL,
          PRIMARY KEY (shelfId, volumeId));
        INSERT INTO shelf VALUES (1, 'Upper'), (2, 'Lower');
        INSERT INTO volume VALUES (1, 'Ants'), (2, 'Birds'), (3, 'Cats'), (4, 'Algae');
        INSERT INTO placement VALUES (1, 1, 11), (1, 2, 2), (1, 4, 7), (2, 3, 9), (2, 2, 10);
        """)
    let shelf = Shelf(id: 1, name: "Upper")
    try dbQueue.read { db in
      // Default ordering by place
      let volumes = try shelf.volumes.fetchAll(db)
      let shelfInfos =
        try Shelf
        .including(all: Shelf.volumes)
        .asRequest(of: Through.ShelfInfo.self)
        .fetchAll(db)
      #expect(volumes.map(\.name) == ["Birds", "Algae", "Ants"])
      #expect(
        shelfInfos.map { $0.volumes.map(\.name) } == [
          ["Birds", "Algae", "Ants"], ["Cats", "Birds"],
        ])
      try #expect(
        sql(of: shelf.volumes, in: db).sql == """
          SELECT "volume".* FROM "volume" JOIN "placement" \
          ON ("placement"."volumeId" = "volume"."id") AND ("placement"."shelfId" = ?) \
          ORDER BY "placement"."place"
          """)

      // Custom ordering
      let custom = try shelf.volumes.order(Column("name")).fetchAll(db)
      let customInfos =
        try Shelf
        .including(all: Shelf.volumes.order(Column("name")))
        .asRequest(of: Through.ShelfInfo.self)
        .fetchAll(db)
      #expect(custom.map(\.name) == ["Algae", "Ants", "Birds"])
      #expect(
        customInfos.map { $0.volumes.map(\.name) } == [
          ["Algae", "Ants", "Birds"], ["Birds", "Cats"],
        ])
      try #expect(
        sql(of: shelf.volumes.order(Column("name")), in: db).sql == """
          SELECT "volume".* FROM "volume" JOIN "placement" \
          ON ("placement"."volumeId" = "volume"."id") AND ("placement"."shelfId" = ?) \
          ORDER BY "volume"."name", "placement"."place"
          """)
    }
  }
}

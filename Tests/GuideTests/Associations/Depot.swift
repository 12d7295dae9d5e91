import Quarry
import QuarryTestSupport

/// Crates with their warehouse, seal and repairs: the tree of association keys of the associations
/// guide.
enum Depot {
  struct City: Codable, Hashable, FetchableRecord, TableRecord {
    var code: String
    var name: String
  }

  struct Warehouse: Codable, Hashable, FetchableRecord, TableRecord {
    static let city = belongsTo(City.self)
    static let crates = hasMany(Crate.self)

    var id: Int64
    var name: String
    var cityCode: String?
  }

  struct Crate: Codable, Hashable, FetchableRecord, TableRecord {
    static let warehouse = belongsTo(Warehouse.self)
    static let seal = hasOne(Seal.self)
    static let repairs = hasMany(Repair.self)

    var id: Int64
    var warehouseId: Int64
    var label: String
  }

  struct Seal: Codable, Hashable, FetchableRecord, TableRecord {
    var id: Int64
    var crateId: Int64
    var number: String
  }

  struct Repair: Codable, Hashable, FetchableRecord, TableRecord {
    var id: Int64
    var crateId: Int64
  }

  static let lisbon = City(code: "LX", name: "Lisbon")
  static let harbor = Warehouse(id: 2, name: "Harbor", cityCode: "LX")
  static let attic = Warehouse(id: 1, name: "Attic", cityCode: nil)
  static let maps = Crate(id: 1, warehouseId: 2, label: "Maps")
  static let novels = Crate(id: 2, warehouseId: 1, label: "Novels")
  static let poems = Crate(id: 3, warehouseId: 2, label: "Poems")
  static let seal = Seal(id: 9, crateId: 2, number: "1-204")

  static func make() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE city (code TEXT PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE warehouse (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, cityCode TEXT REFERENCES city(code));
        CREATE TABLE crate (
          id INTEGER PRIMARY KEY, warehouseId INTEGER NOT NULL REFERENCES warehouse(id),
          label TEXT NOT NULL);
        CREATE TABLE seal (
          id INTEGER PRIMARY KEY, crateId INTEGER NOT NULL UNIQUE REFERENCES crate(id),
          number TEXT);
        CREATE TABLE repair (id INTEGER PRIMARY KEY, crateId INTEGER NOT NULL REFERENCES crate(id));
        INSERT INTO city VALUES ('LX', 'Lisbon');
        INSERT INTO warehouse VALUES (1, 'Attic', NULL), (2, 'Harbor', 'LX');
        INSERT INTO crate VALUES (1, 2, 'Maps'), (2, 1, 'Novels'), (3, 2, 'Poems');
        INSERT INTO seal VALUES (9, 2, '1-204');
        INSERT INTO repair VALUES (1, 1), (2, 1), (3, 1), (4, 3);
        """)
  }
}

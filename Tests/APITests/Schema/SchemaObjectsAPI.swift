import Quarry

func views(_ db: Database) throws {
  try db.create(view: "best", as: Player.filter(Column("score") > 10))
  try db.create(
    view: "best", options: [.ifNotExists, .temporary], columns: ["id"],
    as: SQLRequest<Row>(sql: "SELECT 1"))
  try db.create(view: "best", asLiteral: "SELECT \(1)")
  try db.create(view: "best", options: .ifNotExists, columns: nil, asLiteral: "SELECT \(1)")
  try db.drop(view: "best")
  let _: Int = ViewOptions(rawValue: 1).rawValue
}

func indexes(_ db: Database) throws {
  try db.create(index: "i", on: "player", columns: ["name"])
  try db.create(index: "i", on: "player", columns: ["name"], options: .unique)
  try db.create(
    index: "i", on: "player", columns: ["name"], options: [.unique, .ifNotExists],
    condition: Column("name") != nil)
  try db.create(
    index: "i", on: "player", columns: ["name"], unique: true, ifNotExists: true,
    condition: Column("name") != nil)
  try db.create(index: "i", on: "player", columns: ["name"], unique: true)
  try db.create(index: "i", on: "player", expressions: [length(Column("name"))])
  try db.create(
    index: "i", on: "player", expressions: [Column("name").collating(.nocase), Column("id")],
    options: .ifNotExists, condition: Column("name") != nil)
  try db.create(indexOn: "player", columns: ["name"])
  try db.create(indexOn: "player", columns: ["name"], options: .unique, condition: nil)
  try db.drop(index: "i")
  try db.drop(indexOn: "player", columns: ["name"])
  try db.reindex(collation: .nocase)
  try db.reindex(collation: .french)
  try db.reindex(collation: Database.CollationName.binary)
  try db.reindex(collation: DatabaseCollation.french)
  let _: Int = IndexOptions(rawValue: 1).rawValue
}

func virtualTables(_ db: Database) throws {
  try db.create(virtualTable: "area", using: "rtree(id, minX, maxX)")
  try db.create(
    virtualTable: "area", options: [.ifNotExists, .temporary], using: "rtree(id, a, b)")
  try db.create(virtualTable: "area", ifNotExists: true, using: "rtree(id, minX, maxX)")
  try db.create(virtualTable: "area", using: RTree())
  try db.create(virtualTable: "area", options: .ifNotExists, using: RTree()) { t in
    t.columns = ["id"]
  }
  try db.create(virtualTable: "area", using: RTree()) { _ in throw CancellationError() }
  try db.create(virtualTable: "area", ifNotExists: true, using: RTree())
  try db.create(virtualTable: "area", ifNotExists: true, using: RTree()) { t in
    t.columns = ["id"]
  }
  let _: Int = VirtualTableOptions(rawValue: 1).rawValue
}

/// A virtual table module of an application.
struct RTree: VirtualTableModule {
  final class Definition {
    var columns: [String] = []
  }

  var moduleName: String { "rtree" }

  func makeTableDefinition(configuration: VirtualTableConfiguration) -> Definition { Definition() }

  func moduleArguments(for definition: Definition, in db: Database) throws -> [String] {
    definition.columns
  }

  func database(
    _ db: Database, didCreate tableName: String, using definition: Definition
  ) throws {}
}

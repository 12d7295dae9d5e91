import Foundation
import QuarryBlobs
import QuarryRecords
import QuarryTestSupport

@testable import Quarry

struct ModelParent: TableRecord {
  static let databaseTableName = "p"
  static let children = hasMany(
    ModelChild.self, key: "children", using: ForeignKey(["p"], to: ["id"]))
}

struct ModelChild: TableRecord {
  static let databaseTableName = "c"
  static let parent = belongsTo(
    ModelParent.self, key: "parent", using: ForeignKey(["p"], to: ["id"]))
}

/// A request whose rows are compared.
struct RegionRequest {
  let name: String
  /// The region that is given, nil for the one of the fetch.
  var region: (any DatabaseRegionConvertible)?
  /// The rows as a text that does not depend on their order.
  let fetch: (Database) throws -> String
}

/// Writes random requests.
struct RegionRequestGenerator {
  var random: SplitMix64

  mutating func request() -> RegionRequest {
    switch random.below(8) {
    case 0: return sqlRequest()
    case 1: return blobRequest()
    default: break
    }
    let request = random.chance(3) ? joinedRequest() : plainRequest()
    let name = "\(request.relation)"
    let region: (any DatabaseRegionConvertible)? = random.chance(3) ? request : nil
    switch random.below(6) {
    case 0:
      return RegionRequest(name: "count: \(name)", region: region) { db in
        try "\(request.fetchCount(db))"
      }
    case 1:
      return RegionRequest(name: "exists: \(name)") { db in try "\(request.isEmpty(db))" }
    default:
      return RegionRequest(name: name, region: region) { db in
        try Self.text(Row.fetchAll(db, request))
      }
    }
  }

  private static func text(_ rows: [Row]) -> String {
    rows.map(\.debugDescription).sorted().joined(separator: "\n")
  }

  /// What `updateAll` and `deleteAll` take.
  mutating func writableRequest() -> QueryInterfaceRequest<ModelParent> {
    let table = random.pick(["p", "c", "w", "n", "x", "o"])
    return Table<ModelParent>(table).all().filter(condition(table))
  }

  private mutating func plainRequest() -> QueryInterfaceRequest<Row> {
    let table = random.pick(RegionWorld.names)
    var request = Table(table).all()
    for _ in 0..<random.below(3) { request = request.filter(condition(table)) }
    if random.chance(8), table != "v" {
      request = random.chance(2) ? request.filter(key: value()) : request.filter(keys: [1, 2])
    }
    if random.chance(12) { request = request.none() }
    if random.chance(10) { request = correlated(table, request) }
    if random.chance(12) { request = deferred(table, request) }
    return select(table, request)
  }

  /// A condition on rows of another table, or of the same one.
  private mutating func correlated(
    _ table: String, _ request: QueryInterfaceRequest<Row>
  ) -> QueryInterfaceRequest<Row> {
    let alias = TableAlias()
    let outer: SQLExpression = alias[column(table).name]
    let inner = random.pick(RegionWorld.names)
    let others = Table(inner).all().filter(column(inner) == outer)
    return request.aliased(alias).filter(others.exists())
  }

  /// A condition that a closure reads from the database.
  private mutating func deferred(
    _ table: String, _ request: QueryInterfaceRequest<Row>
  ) -> QueryInterfaceRequest<Row> {
    let key = key(table)
    return request.filterWhenConnected { db in
      try key == (Int.fetchOne(db, sql: "SELECT max(a) FROM n") ?? 0)
    }
  }

  private mutating func select(
    _ table: String, _ request: QueryInterfaceRequest<Row>
  ) -> QueryInterfaceRequest<Row> {
    let column = self.column(table)
    switch random.below(8) {
    case 0: return request.select(column)
    case 1: return request.select(column, self.column(table)).distinct()
    case 2: return request.select(count(column), max(self.column(table)))
    case 3: return request.select(count(column).forKey("n"), subquery().forKey("s"))
    case 4: return request.select(column, subquery().forKey("s"))
    case 5: return request.select(column, count(column)).group(column)
    case 6 where table != "v" && table != "w":
      return request.order(Column.rowID).limit(1 + random.below(2))
    default: return request
    }
  }

  private mutating func subquery() -> SQLExpression {
    let table = random.pick(RegionWorld.names)
    let column = self.column(table)
    let request = Table(table).filter(condition(table))
    return (random.chance(2) ? request.select(max(column)) : request.select(count(column)))
      .sqlExpression
  }

  /// The values of a column, which SQLite may look up in an index.
  private mutating func values() -> QueryInterfaceRequest<Row> {
    let table = random.pick(RegionWorld.names)
    let request = Table(table).all().select(
      random.chance(2) ? key(table) : column(table).sqlExpression)
    return random.chance(2) ? request : request.filter(condition(table))
  }

  private mutating func column(_ table: String) -> Column {
    Column(random.pick(RegionWorld.tables[table] ?? []))
  }

  private mutating func value() -> DatabaseValue {
    switch random.below(8) {
    case 0: .null
    case 1: "\(random.below(4))".databaseValue
    case 2: Double(random.below(4)).databaseValue
    default: random.below(5).databaseValue
    }
  }

  private mutating func condition(_ table: String) -> SQLExpression {
    let key = key(table)
    switch random.below(16) {
    case 0, 1: return (key == value()).sqlExpression
    case 2: return (key === value()).sqlExpression
    case 3: return [value(), value()].contains(key).sqlExpression
    case 4: return (!condition(table)).sqlExpression
    case 5: return (condition(table) && condition(table)).sqlExpression
    case 6: return (condition(table) || condition(table)).sqlExpression
    case 7: return (key == nil).sqlExpression
    case 8: return (key.collating(.nocase) == value()).sqlExpression
    case 9: return (column(table) > value()).sqlExpression
    case 10: return random.chance(4) ? false.sqlExpression : (column(table) != nil).sqlExpression
    case 11: return (key < value()).sqlExpression
    case 12 where random.chance(2): return subquery().databaseValueIsPositive
    case 13: return values().contains(random.chance(2) ? key : column(table).sqlExpression)
    case 14 where random.chance(2): return values().exists()
    default: return (column(table) == value()).sqlExpression
    }
  }

  private mutating func key(_ table: String) -> SQLExpression {
    let hasRowID = table != "v" && table != "w"
    if hasRowID, random.chance(3) { return Column.rowID.sqlExpression }
    if hasRowID, random.chance(4) {
      return Column(random.pick(["rowid", "OID", "_rowid_"])).sqlExpression
    }
    switch table {
    case "w": return Column("k").sqlExpression
    case "n", "m", "ft", "o": return column(table).sqlExpression
    default: return Column("id").sqlExpression
    }
  }
}

extension SQLExpression {
  fileprivate var databaseValueIsPositive: SQLExpression { (self > 0).sqlExpression }
}

// Joins.
extension RegionRequestGenerator {
  private mutating func joinedRequest() -> QueryInterfaceRequest<Row> {
    random.chance(2)
      ? parents().asRequest(of: Row.self) : children().asRequest(of: Row.self)
  }

  private mutating func parents() -> QueryInterfaceRequest<ModelParent> {
    var children = ModelParent.children
    if random.chance(2) { children = children.filter(condition("c")) }
    var request = ModelParent.all()
    if random.chance(2) { request = request.filter(condition("p")) }
    switch random.below(9) {
    case 0: return request.including(all: children)
    case 1: return request.annotated(with: children.count)
    case 2: return request.annotated(with: children.max(Column("b")))
    case 3: return request.having(children.isEmpty)
    case 4: return request.including(right: children)
    case 5: return request.including(full: children)
    case 6: return request.joining(required: children).distinct()
    case 7:
      return request.including(
        all: children.including(optional: ModelChild.parent))
    default: return request.including(optional: children)
    }
  }

  private mutating func children() -> QueryInterfaceRequest<ModelChild> {
    var parent = ModelChild.parent
    if random.chance(2) { parent = parent.filter(condition("p")) }
    var request = ModelChild.all()
    if random.chance(2) { request = request.filter(condition("c")) }
    switch random.below(7) {
    case 0: return request.including(optional: parent)
    case 1: return request.including(required: parent)
    case 2: return request.including(right: parent)
    case 3: return request.including(full: parent)
    case 4: return request.joining(right: parent).select(Column("id"), Column("b"))
    case 5: return request.including(required: parent.including(all: ModelParent.children))
    default:
      return request.annotated(withOptional: parent.select(Column("g"), Column("h")))
    }
  }
}

// SQL and blobs.
extension RegionRequestGenerator {
  private static let texts = [
    "SELECT g FROM p", "SELECT count(*) FROM p", "SELECT id, h FROM p WHERE g > 1",
    "SELECT * FROM v",
    "SELECT rowid FROM ft WHERE ft MATCH 'b OR r*'", "SELECT count(*) FROM ft",
    "SELECT rowid FROM fs WHERE fs MATCH 'b'", "SELECT b FROM m WHERE rowid = 2", "SELECT * FROM m",
    "SELECT a FROM n UNION SELECT a FROM x UNION SELECT g FROM w", "SELECT hex(data) FROM p",
    "WITH r AS (SELECT a FROM p UNION ALL SELECT a + 1 FROM r WHERE a < 3) SELECT sum(a) FROM r",
    "SELECT p.b, c.b FROM p NATURAL JOIN c", "SELECT max(g) OVER (), id FROM p",
    "SELECT att.n.a, n.b FROM att.n, n", "SELECT (SELECT max(g) FROM w) FROM p LIMIT 1",
    "SELECT count(*) FROM c WHERE p IN (SELECT id FROM p WHERE a = 1)", "SELECT oid FROM o",
    "SELECT rowid FROM n WHERE a IS NOT NULL", "SELECT group_concat(k) FROM w WHERE g = 2",
  ]

  private mutating func sqlRequest() -> RegionRequest {
    let sql = random.pick(Self.texts)
    let region = random.chance(3) ? SQLRequest<Row>(sql: sql) : nil
    return RegionRequest(name: sql, region: region) { db in
      try Self.text(Row.fetchAll(db, sql: sql))
    }
  }

  private mutating func blobRequest() -> RegionRequest {
    let rowID = Int64(random.below(4))
    return RegionRequest(name: "blob of row \(rowID)") { db in
      let data = try? db.withBlob(table: "p", column: "data", rowID: rowID) { try $0.read() }
      return "\(data.map(Array.init) ?? [])"
    }
  }
}

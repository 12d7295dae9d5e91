import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let (id, n, v) = (Column("id"), Column("n"), Column("v"))

private struct Parent: Codable, FetchableRecord, PersistableRecord {
  static let children = hasMany(Child.self, using: ForeignKey(["parentId"]))
  static let twins = hasMany(Child.self, using: ForeignKey(["a", "b"], to: ["a", "b"]))
  static let grandchildren = hasMany(
    Grandchild.self, through: children, using: Child.grandchildren)
  static let twinGrandchildren = hasMany(
    Grandchild.self, through: twins, using: Child.grandchildren)
  var id: Int64
  var a: String
  var b: Int
}

private struct Child: TableRecord {
  static let grandchildren = hasMany(Grandchild.self, using: ForeignKey(["childId"]))
}

private struct Grandchild: TableRecord {}

/// What is asked of the associated rows. All orders are total.
private enum Refinement: CaseIterable {
  case all, filtered, distinct, groups, maximum, number, largest, windows

  /// Whether a request has one row, and parents without associated rows have none.
  var isAggregate: Bool { self == .maximum || self == .number }

  func refining<A: AssociationToMany>(_ rows: A) -> A {
    switch self {
    case .all: rows.order(id)
    case .filtered: rows.filter(v > 1).order(id)
    case .distinct: rows.select(v).distinct().order(v)
    case .groups: rows.select(v, SQLExpression.countAll.forKey("number")).group(v).order(v)
    case .maximum: rows.select(abs(max(v)).forKey("maximum"))
    case .number: rows.select(SQLExpression.countAll.forKey("number"))
    case .largest: rows.order(v.desc, id).limit(2)
    case .windows: rows.select(id, rowNumber().over(partitionBy: v, orderBy: id)).order(id)
    }
  }
}

/// `including(all:)` fetches for each row what the request for its associated records does.
@Suite(.onQueueAndPool)
struct RandomPrefetchTests {
  /// Keys of several columns are in no order.
  private func world(_ random: inout SplitMix64) throws -> AnyDatabaseWriter {
    let database = try makeEmptyDatabase()
    let keys = ["x", "y", "z"].flatMap { a in (0..<6).map { b in "'\(a)', \(b)" } }
      .shuffled(using: &random)
    let parents = keys.prefix(12).enumerated().map { "(\($0), \($1), \(random.below(4)))" }
    let children = (0..<40).map { number in
      let parent = random.chance(8) ? "NULL" : "\(random.below(13))"
      let value = random.chance(6) ? "NULL" : "\(random.below(5))"
      return "(\(number), \(parent), \(random.pick(keys)), \(value))"
    }
    let grandchildren = (0..<60).map { "(\($0), \(random.below(42)), \(random.below(5)))" }
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, n INTEGER, UNIQUE (a, b));
          CREATE TABLE child (id INTEGER PRIMARY KEY, parentId INTEGER, a TEXT, b INTEGER, v INTEGER);
          CREATE TABLE grandchild (id INTEGER PRIMARY KEY, childId INTEGER, v INTEGER);
          INSERT INTO parent VALUES \(parents.joined(separator: ", "));
          INSERT INTO child VALUES \(children.joined(separator: ", "));
          INSERT INTO grandchild VALUES \(grandchildren.joined(separator: ", "));
          """)
    }
    return database
  }

  /// - parameter haveKey: Whether the request must have a primary key.
  private func parents(
    _ random: inout SplitMix64, haveKey: Bool
  ) -> QueryInterfaceRequest<Parent> {
    let count = 1 + random.below(5)
    return switch random.below(8) {
    case 0: Parent.all()
    case 1: Parent.limit(count)
    case 2: Parent.order(n).limit(count, offset: random.below(3))
    case 3: Parent.filter(n > 1)
    case 4: Parent.order(.random).limit(count)
    case 5 where !haveKey: Parent.order(n).limit(count).asTable()
    case 6: Parent.filter(sql: "abs(random()) % 2")
    default: Parent.filter(Parent.order(n).limit(count).select(id).contains(id))
    }
  }

  private func values(_ rows: some Sequence<Row>) -> [[DatabaseValue]] {
    rows.map { row in
      zip(row.columnNames, row.databaseValues).filter { !$0.0.hasPrefix("grdb_") }.map(\.1)
    }
  }

  private func check<A: AssociationToMany>(
    _ association: A, _ refinement: Refinement, _ parents: QueryInterfaceRequest<Parent>,
    _ db: Database
  ) throws where A.OriginRowDecoder == Parent {
    let refined = refinement.refining(association)
    let rows = try parents.including(all: refined.forKey("found")).asRequest(of: Row.self)
      .fetchAll(db)
    let place = "\(refinement), \(try sql(of: parents, in: db))"
    for row in rows {
      let parent = try Parent(row: row)
      let isEmpty = try parent.request(for: association).asRequest(of: Row.self).isEmpty(db)
      let expected =
        isEmpty && refinement.isAggregate
        ? [] : try parent.request(for: refined).asRequest(of: Row.self).fetchAll(db)
      let found = try #require(row.prefetchedRows["found"])
      #expect(values(found) == values(expected), "\(place), \(row)")
    }
  }

  @Test func `prefetched rows are those of a request for each parent`() throws {
    try RandomRun("prefetched rows").repeated(seconds: 1.5) { random in
      let database = try world(&random)
      // Remembered plans have other values.
      for _ in 0..<12 {
        let (refinement, association) = (random.pick(Refinement.allCases), random.below(4))
        let parents = parents(&random, haveKey: refinement == .largest)
        try database.read { db throws in
          switch association {
          case 0: try check(Parent.children, refinement, parents, db)
          case 1: try check(Parent.twins, refinement, parents, db)
          case 2: try check(Parent.grandchildren, refinement, parents, db)
          default: try check(Parent.twinGrandchildren, refinement, parents, db)
          }
        }
      }
    }
  }
}

import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// A row of any table, as it is stored.
struct ListedItem: Equatable, FetchableRecord, TableRecord, Sendable {
  static var databaseTableName: String { "item" }
  let values: [DatabaseValue]

  init(row: Row) { values = Array(row.databaseValues) }

  /// As an observation compares them: 2 and 2.0 are equal values, but not the same.
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.values.map(\.storage) == rhs.values.map(\.storage)
  }
}

/// A random table, a random request of its rows, and random transactions.
struct FollowedListModel {
  let schema: String
  /// Whether keys are texts.
  private let hasTextKeys: Bool
  let request: QueryInterfaceRequest<ListedItem>
  /// Whether the rows of the request can be followed.
  let isFollowed: Bool
  /// Whether the request has some rows by their keys: other insertions don't touch it.
  let isPinned: Bool

  init(_ random: inout SplitMix64) {
    let kind = random.below(10)
    hasTextKeys = kind == 7 || kind == 8
    let key = hasTextKeys ? "TEXT PRIMARY KEY NOT NULL" : "INTEGER PRIMARY KEY"
    let collation = kind == 6 ? "COLLATE NOCASE" : ""
    schema = """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY);
      INSERT INTO shelf VALUES (1), (2), (3);
      CREATE TABLE item (id \(key), place \(collation), score, code INTEGER UNIQUE,
        shelf INTEGER REFERENCES shelf(id) ON DELETE CASCADE ON UPDATE CASCADE)
        \(kind == 9 ? "WITHOUT ROWID" : "");
      """
    var orders = FollowedListOrders()
    let isTotal = orders.add(&random)
    var filters = FollowedListFilters()
    for _ in 0..<random.below(3) { filters.add(&random, hasTextKeys: hasTextKeys) }
    var request = filters.request.order(orders.terms)
    if orders.isStable { request = request.withStableOrder() }
    self.request = request
    isPinned = filters.isPinned
    isFollowed =
      kind != 9 && isTotal && !filters.hasSQL && (kind != 6 || !orders.hasPlace)
  }

  func key(_ number: Int) -> String { hasTextKeys ? "'k\(number)'" : "\(number)" }

  /// A value of any type, close to others.
  static func value(_ random: inout SplitMix64) -> String {
    let number = random.below(6) - 2
    return random.pick([
      "NULL", "\(number)", "\(number).5", "\(number).0", "'\(number)'", "'b'", "'B'", "'é'", "''",
      "'b' || char(0) || 'c'", "x'62'", "x'ff00'", "9007199254740993", "9007199254740992.0",
      "9223372036854775807", "9.3e18", "-9.3e18", "-0.0",
    ])
  }

  /// SQL of a transaction.
  func transaction(_ random: inout SplitMix64) -> String {
    let statements = (0...random.below(4)).map { _ in change(&random) }
    let sql = statements.joined(separator: "; ")
    switch random.below(6) {
    case 0: return "SAVEPOINT a; \(sql); ROLLBACK TO a; RELEASE a; \(change(&random))"
    case 1: return "\(change(&random)); SAVEPOINT a; \(sql); RELEASE a"
    default: return sql
    }
  }

  private func change(_ random: inout SplitMix64) -> String {
    let (id, other) = (key(random.below(12)), key(random.below(12)))
    let (place, score) = (Self.value(&random), Self.value(&random))
    let (code, shelf) = (random.below(12), random.below(3) + 1)
    let row = "(\(id), \(place), \(score), \(code), \(shelf))"
    let changes: [String] = [
      "INSERT OR REPLACE INTO item VALUES \(row)", "INSERT OR REPLACE INTO item VALUES \(row)",
      "INSERT OR IGNORE INTO item VALUES \(row)", "INSERT OR IGNORE INTO item VALUES \(row)",
      "INSERT INTO item VALUES \(row) ON CONFLICT (id) DO UPDATE SET place = excluded.place "
        + "ON CONFLICT (code) DO UPDATE SET score = excluded.score",
      "DELETE FROM item WHERE id = \(id)", "UPDATE item SET place = \(place) WHERE id = \(id)",
      "UPDATE item SET score = \(score) WHERE id IN (\(id), \(other))",
      "UPDATE item SET score = score WHERE id > \(id)",
      "UPDATE OR IGNORE item SET id = \(other) WHERE id = \(id)",
      "UPDATE OR REPLACE item SET id = \(other), place = \(place) WHERE id = \(id)",
      "UPDATE OR REPLACE item SET code = \(code) WHERE id = \(id)",
      "UPDATE item SET place = \(place), score = place WHERE shelf = \(shelf)",
      "INSERT OR IGNORE INTO shelf VALUES (\(shelf))", "DELETE FROM shelf WHERE id = \(shelf)",
      "UPDATE OR IGNORE shelf SET id = id % 3 + 1 WHERE id = \(shelf)",
    ]
    if random.below(40) == 0 { return random.pick(["DELETE FROM item", "DELETE FROM shelf"]) }
    return random.pick(changes)
  }

  /// Executes SQL, of which violated constraints may leave a part out.
  static func execute(_ sql: String, _ db: Database) throws {
    do { try db.execute(sql: sql) } catch DatabaseError.SQLITE_CONSTRAINT {}
  }
}

private struct FollowedListOrders {
  private(set) var terms: [SQLOrdering] = []
  private(set) var isStable = false
  private(set) var hasPlace = false

  /// Returns whether the order is total.
  mutating func add(_ random: inout SplitMix64) -> Bool {
    for _ in 0..<random.below(3) { addTerm(&random) }
    switch random.below(8) {
    case 0: return false
    case 1, 2: isStable = true
    case 3, 4: terms.append(Column("id").desc)
    default: terms.append(Column("id").asc)
    }
    return true
  }

  private mutating func addTerm(_ random: inout SplitMix64) {
    let expression: SQLExpression
    switch random.below(5) {
    case 0, 1:
      expression = Column("place").sqlExpression
      hasPlace = true
    case 2, 3: expression = Column("score").sqlExpression
    default: expression = coalesce([Column("score"), length(Column("code"))])
    }
    terms.append(
      random.pick([
        expression.asc, expression.desc, expression.ascNullsLast, expression.descNullsFirst,
      ]))
  }
}

private struct FollowedListFilters {
  private(set) var request = ListedItem.all()
  private(set) var hasSQL = false
  private(set) var isPinned = false

  mutating func add(_ random: inout SplitMix64, hasTextKeys: Bool) {
    let (place, score, code) = (Column("place"), Column("score"), Column("code"))
    switch random.below(9) {
    case 0: request = request.filter(place > 0)
    case 1: request = request.filter(score != nil || code < 6)
    case 2: request = request.filter(place.like("b%") || place < "b")
    case 3: request = request.filter((2...9).contains(code))
    case 4: request = request.filter(!(score == 1) && length(place) != 2)
    case 5: request = request.filter([1, 2].contains(Column("shelf")))
    case 6: request = request.filter(score + 1 > place || coalesce([code, score]) > 3)
    case 7 where !hasTextKeys:
      request = request.filter([1, 2, 3, 4, 5, 6, 7].contains(Column("id")))
      isPinned = true
    default:
      request = request.filter(sql: "code % 2 = 0 OR place > 1")
      hasSQL = true
    }
  }
}

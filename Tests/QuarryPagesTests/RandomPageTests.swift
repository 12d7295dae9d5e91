import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryPages

/// The pages of random tables in random orders, forward and backward, are the ordered rows.
struct RandomPageTests {
  private static let columns = ["a", "b", "c", "d", "e"]

  private static let keys = [
    "id INTEGER PRIMARY KEY, ", "id TEXT PRIMARY KEY, ", "id REAL NOT NULL PRIMARY KEY, ", "",
  ]

  private func value(_ random: inout SplitMix64) -> DatabaseValue {
    switch random.below(9) {
    case 0, 1: .null
    case 2, 3: Int64(random.below(4)).databaseValue
    case 4: (Double(random.below(5)) / 4).databaseValue
    case 5: random.pick(["a", "A", "b", "B", "10", "9", "", "a\0b", "é"]).databaseValue
    case 6: Data(random.bytes(random.below(2)).map { $0 & 0x7f }).databaseValue
    case 7: random.int64().databaseValue
    default: random.double().databaseValue
    }
  }

  /// Returns the column that the order of pages ends with.
  private func makeTable(_ db: Database, _ random: inout SplitMix64) throws -> String {
    let key = random.pick(Self.keys)
    let types = ["", "INTEGER", "TEXT", "TEXT COLLATE NOCASE", "REAL", "NUMERIC", "BLOB"]
    var notNull: Set<String> = []
    let definitions = Self.columns.map { column in
      let isNotNull = random.chance(3)
      if isNotNull { notNull.insert(column) }
      return "\(column) \(random.pick(types))" + (isNotNull ? " NOT NULL" : "")
    }
    try db.execute(sql: "DROP TABLE IF EXISTS t")
    try db.execute(sql: "CREATE TABLE t (\(key)\(definitions.joined(separator: ", ")))")
    if random.chance(2) {
      let indexed = (0...random.below(2)).map { _ in
        random.pick(Self.columns) + random.pick(["", " DESC"])
      }
      try db.execute(sql: "CREATE INDEX i ON t (\(indexed.joined(separator: ", ")))")
    }
    for number in 0..<random.below(14) {
      var values = Self.columns.map { column in
        let value = value(&random)
        return value.isStoredAsNull && notNull.contains(column) ? 1.databaseValue : value
      }
      var names = Self.columns
      if !key.isEmpty {
        names.append("id")
        values.append(
          key.contains("TEXT")
            ? (random.chance(2) ? DatabaseValue.null : "k\(number)".databaseValue)
            : Int64(number * 3).databaseValue)
      }
      let marks = values.map { _ in "?" }.joined(separator: ", ")
      try db.execute(
        sql: "INSERT INTO t (\(names.joined(separator: ", "))) VALUES (\(marks))",
        arguments: StatementArguments(values))
    }
    return key.isEmpty || key.contains("TEXT") ? "rowid" : "id"
  }

  /// An order, and its SQL, forward and reversed.
  private struct Term {
    let ordering: any SQLOrderingTerm
    let sql: String
    let reversedSQL: String
    let isDescending: Bool
  }

  private func term(_ random: inout SplitMix64, _ selected: String?) -> Term {
    let name = random.pick(Self.columns)
    let column = Column(name)
    let (expression, sql): (SQLExpression, String) =
      switch random.below(10) {
      case 0: (column.collating(.nocase).sqlExpression, "\(name) COLLATE NOCASE")
      case 1: ((column + 1).sqlExpression, "\(name) + 1")
      case 2: (SQL("lower(\(column))").sqlExpression, "lower(\(name))")
      case 3: (SQL("coalesce(\(column), \(2))").sqlExpression, "coalesce(\(name), 2)")
      case 4: (SQL("\(column) OR \(Column("a"))").sqlExpression, "(\(name) OR a)")
      case 5: ((column == 1).sqlExpression, "(\(name) = 1)")
      case 6: (cast(column, as: .text), "CAST(\(name) AS TEXT)")
      case 7: (length(column), "length(\(name))")
      case 8: (Column(selected ?? name).detached, "\"\(selected ?? name)\"")
      default: (column.sqlExpression, name)
      }
    return switch random.below(5) {
    case 0:
      Term(
        ordering: expression.asc, sql: "\(sql) ASC", reversedSQL: "\(sql) DESC", isDescending: false
      )
    case 1:
      Term(ordering: expression.desc, sql: "\(sql) DESC", reversedSQL: sql, isDescending: true)
    case 2:
      Term(
        ordering: expression.ascNullsLast, sql: "\(sql) ASC NULLS LAST",
        reversedSQL: "\(sql) DESC NULLS FIRST", isDescending: false)
    case 3:
      Term(
        ordering: expression.descNullsFirst, sql: "\(sql) DESC NULLS FIRST",
        reversedSQL: "\(sql) ASC NULLS LAST", isDescending: true)
    default: Term(ordering: expression, sql: sql, reversedSQL: "\(sql) DESC", isDescending: false)
    }
  }

  @Test func `concatenated pages are the ordered rows`() throws {
    let run = RandomRun("pages")
    let queue = try DatabaseQueue()
    let count = try run.repeated(seconds: 1.5) { random in
      try queue.write { db in
        let key = try makeTable(db, &random)
        for _ in 0..<4 {
          // The names of the order mean the selected value.
          let selected = random.chance(3) ? random.pick(Self.columns + ["n", "id"]) : nil
          let isFirst = random.chance(2)
          let terms = (0..<random.below(4)).map { _ in term(&random, selected) }
          let isFiltered = random.chance(4)
          let isReversed = random.chance(3)
          var request = Table<Row>("t").order(terms.map(\.ordering))
          if isFiltered { request = request.filter(Column("a") != 1) }
          if isReversed { request = request.reversed() }
          if let selected {
            let value = (-Column("c")).forKey(selected)
            request =
              isFirst
              ? request.select(value, SQLSelection(.allColumns)) : request.annotated(with: value)
          }
          let limit = 1 + random.below(4)
          let rows = try walk {
            try request.page(after: $0, limit: limit).fetch(db)
          } backward: {
            try request.page(before: $0, limit: limit).fetch(db)
          }
          let isDescending =
            (terms.last?.isDescending ?? isReversed) != (isReversed && !terms.isEmpty)
          let order =
            terms.map { isReversed ? $0.reversedSQL : $0.sql }
            + [terms.isEmpty || !isDescending ? "t.\(key)" : "t.\(key) DESC"]
          let value = "-c AS \"\(selected ?? "")\""
          let selection = selected == nil ? "*" : isFirst ? "\(value), *" : "*, \(value)"
          let sql =
            "SELECT \(selection) FROM t \(isFiltered ? "WHERE a <> 1" : "") ORDER BY "
            + order.joined(separator: ", ")
          try #expect(rows == Row.fetchAll(db, sql: sql), "limit \(limit), \(sql)")
        }
      }
    }
    print("pages: \(4 * count) orders compared")
    #expect(count > 0)
  }
}

extension DatabaseValue {
  /// True for NULL, and for NaN.
  fileprivate var isStoredAsNull: Bool {
    if case .double(let number) = storage { number.isNaN } else { isNull }
  }
}

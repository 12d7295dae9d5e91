import Quarry

func ranges() {
  let column = Column("score")
  let _: [SQLExpression] = [
    (1...2).contains(column), (1..<2).contains(column), ("a"..."b").contains(column),
    ("a"..<"b").contains(column), (1.5...2.5).contains(column), (1...2).contains(column + 1),
    (1...).contains(column), (..<2).contains(column), (...2).contains(column),
    ("a"...).contains(column), (..<"b").contains(column), (..."b").contains(column),
  ]
  // The methods of the standard library are still there.
  let _: [Bool] = [(1...2).contains(1), ("a"..<"b").contains("a"), [1, 2].contains(1)]
  let _: [Bool] = [(1...).contains(1), (..<2).contains(1), ("a"...).contains("a")]
}

func sequences(_ cursor: AnyCursor<Int>) throws {
  let columns = [Column("a"), Column("b")]
  let anything: [any SQLExpressible] = [1, "a"]
  let specific: [any SQLSpecificExpressible] = [Column("a"), Column("b") + 1]
  let fragments: [SQL] = ["a", "b"]
  let _: FlattenCursor<MapCursor<AnyCursor<Int>, AnyCursor<String>>> = [1, 2].flatMap { count in
    AnyCursor(Array(repeating: "a", count: count))
  }
  let _: SQL = fragments.joined()
  let _: SQL = fragments.joined(separator: ", ")
  let _: SQL = fragments.lazy.map { $0 }.joined(separator: ", ")
  let _: SQL = AnySequence(fragments).joined(separator: ", ")
  let _: SQLExpression = columns.joined(operator: .add)
  let _: SQLExpression = specific.joined(operator: .and)
  let _: SQLExpression = [1, 2].contains(Column("id"))
  let _: SQLExpression = anything.contains(Column("id"))
  let _: SQLExpression = Set([1]).contains(Column("id"))
  let _: SQLExpression = columns.contains(Column("id"))
}

func collectionsOfCursors(_ cursor: AnyCursor<Int>) throws {
  let _: [Int] = try Array(cursor)
  let _: ContiguousArray<Int> = try ContiguousArray(cursor)
  let _: [Int] = try Array(cursor, minimumCapacity: 10)
  var list = [1]
  try list.append(contentsOf: cursor)
  list.append(contentsOf: [1, 2])
  var set: Set<Int> = try Set(cursor)
  let _: Set<Int> = try Set(cursor, minimumCapacity: 10)
  let _: Set<Int> = try set.union(cursor)
  try set.formUnion(cursor)
  let _: Set<Int> = try set.intersection(cursor)
  try set.formIntersection(cursor)
}

func dictionariesOfCursors(_ cursor: AnyCursor<Int>, _ pairs: AnyCursor<(String, Int)>) throws {
  let _: [Bool: [Int]] = try Dictionary(grouping: cursor, by: { $0 > 1 })
  let _: [Bool: [Int]] = try Dictionary(minimumCapacity: 2, grouping: cursor, by: { $0 > 1 })
  let _: [String: Int] = try Dictionary(uniqueKeysWithValues: pairs)
  let _: [String: Int] = try Dictionary(minimumCapacity: 2, uniqueKeysWithValues: pairs)
  let _: [String: Int] = try Dictionary(uniqueKeysWithValues: cursor.map { ("\($0)", $0) })
}

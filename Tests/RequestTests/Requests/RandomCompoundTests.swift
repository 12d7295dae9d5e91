import QuarryTestSupport
import Testing

@testable import Quarry

/// Nested compounds, against the same operations in Swift.
struct RandomCompoundTests {
  /// A request of integers, and the values that it selects: in order, where it is limited.
  struct Model {
    var request: AnyFetchRequest<Int>
    var values: [Int]
  }

  @Test(arguments: 0..<20)
  func `requests select what Swift computes`(seed: Int) throws {
    var random = Generator(state: UInt64(seed &* 7919 &+ 1))
    try makeDatabase(
      sql: "CREATE TABLE number (n INTEGER); INSERT INTO number VALUES (1), (2), (3)"
    )
    .read { db throws in
      for _ in 0..<20 {
        let model = model(depth: Int.random(in: 1...4, using: &random), &random)
        let text = try sql(of: model.request, in: db).sql
        #expect(try model.request.fetchAll(db).sorted() == model.values.sorted(), "\(text)")
        #expect(try model.request.fetchCount(db) == model.values.count, "\(text)")
      }
    }
  }

  private func model(depth: Int, _ random: inout Generator) -> Model {
    guard depth > 0 else { return leaf(&random) }
    let first = model(depth: depth - 1, &random)
    let second = model(depth: Int.random(in: 0..<depth, using: &random), &random)
    let (request, values) = combination(first, second, &random)
    guard Int.random(in: 0..<3, using: &random) == 0 else {
      return Model(request: request.hidden(&random), values: values)
    }
    let limit = Int.random(in: 1...4, using: &random)
    let n = Column("n")
    let ordered = Bool.random(using: &random) ? request.order(n) : request.order(n + 0)
    return Model(
      request: ordered.limit(limit).hidden(&random),
      values: Array(values.sorted().prefix(limit)))
  }

  private func leaf(_ random: inout Generator) -> Model {
    let n = Column("n")
    let values = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Int.random(in: 1...5, using: &random)
    }
    let rows = values.map { "(\($0))" }.joined(separator: ", ")
    let least = Int.random(in: 1...3, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let request = Table("number").filter(n >= least).select(n, as: Int.self)
      return Model(request: AnyFetchRequest(request), values: Array(least...3))
    case 1:
      let request = Table("number").order(n.desc).limit(least).select(n, as: Int.self)
      return Model(request: AnyFetchRequest(request), values: Array((4 - least)...3))
    case 2:
      let request = SQLRequest<Int>(sql: "SELECT column1 AS n FROM (VALUES \(rows))")
      return Model(request: AnyFetchRequest(request), values: values)
    default:
      let cte = CommonTableExpression<Int>(named: "v", columns: ["n"], sql: "VALUES \(rows)")
      return Model(request: AnyFetchRequest(cte.all().with(cte)), values: values)
    }
  }

  private func combination(
    _ first: Model, _ second: Model, _ random: inout Generator
  ) -> (CompoundRequest<Int>, [Int]) {
    let (a, b) = (first.values, second.values)
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: (first.request.union(second.request), Array(Set(a + b)))
    case 1: (first.request.unionAll(second.request), a + b)
    case 2: (first.request.intersect(second.request), Array(Set(a).intersection(b)))
    default: (first.request.except(second.request), Array(Set(a).subtracting(b)))
    }
  }

  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) | (state << 31)
    }
  }
}

extension CompoundRequest where RowDecoder == Int {
  /// The compound, or a table expression with its rows.
  fileprivate func hidden(_ random: inout some RandomNumberGenerator) -> AnyFetchRequest<Int> {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return AnyFetchRequest(self) }
    let cte = CommonTableExpression<Int>(named: "c", columns: ["n"], request: self)
    return AnyFetchRequest(cte.all().with(cte))
  }
}

import QuarryTestSupport
import Testing

@testable import Quarry

/// Random requests with other values, and the same ones built again: what is remembered is what is
/// compiled.
struct RandomCompiledQueryTests {
  @Test func `remembered queries have the SQL, the arguments and the rows of compiled ones`()
    throws
  {
    let run = RandomRun("random compiled queries")
    var remembered = 0
    var failures = 0
    run.repeated(seconds: 4, atMost: 6) { random in
      guard failures == 0, let world = try? World(&random) else { return }
      for _ in 0..<8 {
        let difference = world.database.inDatabase { db -> String? in
          let requests = world.requests(&random)
          if let difference = db.differences(requests).first { return difference }
          remembered += db.compiledQueries.count
          try? db.execute(sql: world.alteration(&random))
          return db.differences(requests + requests).first
        }
        guard let difference else { continue }
        failures += 1
        Issue.record("QUARRY_RANDOM_SEED=\(run.seed): \(difference)")
      }
    }
    #expect(remembered > 0)
  }

  private final class World {
    let world: RandomWorld
    let database: DatabaseQueue
    var generator: RandomRequestGenerator
    private var columnCount = 0

    init(_ random: inout SplitMix64) throws {
      world = RandomWorld(using: &random)
      database = try world.makeDatabase()
      generator = RandomRequestGenerator(world: world, random: random)
    }

    /// A request, the same with other values, and the first one again, each built anew.
    func requests(_ random: inout SplitMix64) -> [any FetchRequest<Row>] {
      let request = generator.request()
      var others = (0..<3).map { _ in request }
      for index in others.indices { others[index].root.changeValues(&random) }
      return ([request, request] + others + [request]).map {
        RandomRequestBuilder(world: world, request: $0).request($0.root)
      }
    }

    func alteration(_ random: inout SplitMix64) -> String {
      let table = (world.tables.randomElement(using: &random)?.name ?? "").quotedDatabaseIdentifier
      columnCount += 1
      return random.next() % 2 == 0
        ? "ALTER TABLE \(table) ADD COLUMN \"new\(columnCount)\" INTEGER DEFAULT 1"
        : "CREATE INDEX \"index\(columnCount)\" ON \(table)(v)"
    }
  }
}

extension RandomNode {
  /// Gives other values to all conditions, but nulls.
  fileprivate mutating func changeValues(_ random: inout SplitMix64) {
    for index in filters.indices { filters[index] = filters[index].withOtherValues(&random) }
    for index in items.indices { items[index] = items[index].withOtherValues(&random) }
  }
}

extension RandomItem {
  fileprivate func withOtherValues(_ random: inout SplitMix64) -> RandomItem {
    var association = association
    for index in association.steps.indices { association.steps[index].changeValues(&random) }
    return switch self {
    case .join(_, let isRequired, let isIncluded):
      .join(association, isRequired: isRequired, isIncluded: isIncluded)
    case .annotate(_, let isRequired, let name):
      .annotate(association, isRequired: isRequired, name: name)
    case .prefetch: .prefetch(association)
    case .aggregates(_, let aggregates): .aggregates(association, aggregates)
    case .having(_, let aggregate, let comparison, _):
      .having(association, aggregate, comparison, .random(in: 0...3, using: &random))
    }
  }
}

extension RandomPredicate {
  fileprivate func withOtherValues(_ random: inout SplitMix64) -> RandomPredicate {
    switch self {
    case .compare(let reference, let comparison, let value):
      .compare(reference, comparison, value.replaced(&random))
    case .isIn(let reference, let values):
      .isIn(reference, values.map { $0.replaced(&random) })
    case .and(let lhs, let rhs):
      .and(lhs.withOtherValues(&random), rhs.withOtherValues(&random))
    case .or(let lhs, let rhs): .or(lhs.withOtherValues(&random), rhs.withOtherValues(&random))
    case .not(let operand): .not(operand.withOtherValues(&random))
    case .compareColumns, .isNull: self
    }
  }
}

extension RandomValue {
  fileprivate func replaced(_ random: inout SplitMix64) -> RandomValue {
    switch self {
    case .null: .null
    case .integer, .real: .integer(.random(in: 0...4, using: &random))
    case .text: .text(["a", "b", "c", "D", "é"].randomElement(using: &random) ?? "a")
    }
  }
}

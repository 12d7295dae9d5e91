import QuarryTestSupport
import Testing

@testable import Quarry

// Records that copy, change, keep and replace their containers while they are encoded. A copy is a
// value: it has the columns that it was given, and no others, whatever is done to the container
// that it was copied from.
@Suite(.onQueueAndPool)
struct RandomContainerTests {
  /// What a record does to its containers: the one that it fills, and those that it keeps.
  private enum Step {
    case set(column: String, value: String)
    case setInteger(column: String, value: Int64)
    case keep
    case setKept(Int, column: String, value: String)
    case takeKept(Int)
    case swapKept(Int)
  }

  /// The containers that records have kept, and what they must have.
  private final class Kept {
    var containers: [PersistenceContainer] = []
    var models: [[String: DatabaseValue]] = []
    /// What the containers of records must have had, by identifier.
    var records: [Int64: [String: DatabaseValue]] = [:]
  }

  private struct Scribble: PersistableRecord {
    static let columns = ["a", "b", "c", "d"]
    var id: Int64
    var steps: [Step]
    var kept: Kept

    func encode(to container: inout PersistenceContainer) {
      var model: [String: DatabaseValue] = [:]
      container["id"] = id
      for step in steps { run(step, &container, &model) }
      container["id"] = id
      model["id"] = id.databaseValue
      for column in Self.columns where model[column] == nil {
        container[column] = String?.none
        model[column] = .null
      }
      kept.records[id] = model
    }

    private func run(
      _ step: Step, _ container: inout PersistenceContainer,
      _ model: inout [String: DatabaseValue]
    ) {
      switch step {
      case .set(let column, let value):
        container[column] = value
        model[column] = value.databaseValue
      case .setInteger(let column, let value):
        container[column] = value
        model[column] = value.databaseValue
      case .keep:
        kept.containers.append(container)
        kept.models.append(model)
      case .setKept(let number, let column, let value):
        guard !kept.containers.isEmpty else { return }
        let index = number % kept.containers.count
        kept.containers[index][column] = value
        kept.models[index][column] = value.databaseValue
      case .takeKept(let number):
        guard !kept.containers.isEmpty else { return }
        let index = number % kept.containers.count
        container = kept.containers[index]
        model = kept.models[index]
      case .swapKept(let number):
        guard !kept.containers.isEmpty else { return }
        let index = number % kept.containers.count
        swap(&container, &kept.containers[index])
        swap(&model, &kept.models[index])
      }
    }

    func didInsert(_ inserted: InsertionSuccess) {
      guard id % 5 == 0 else { return }
      var copy = inserted.persistenceContainer
      if id % 10 == 0 { copy["a"] = "changed" }
      kept.containers.append(copy)
      var model = kept.records[id] ?? [:]
      if id % 10 == 0 { model["a"] = "changed".databaseValue }
      kept.models.append(model)
    }
  }

  private static func step(_ random: inout SplitMix64) -> Step {
    let column = random.pick(Scribble.columns)
    let text = String(repeating: "\(random.below(100))", count: 1 + random.below(12))
    switch random.below(8) {
    case 0...2: return .set(column: column, value: text)
    case 3: return .setInteger(column: column, value: random.int64())
    case 4: return .keep
    case 5: return .setKept(random.below(1_000), column: column, value: text)
    case 6: return .takeKept(random.below(1_000))
    default: return .swapKept(random.below(1_000))
    }
  }

  private static func records(_ ids: Range<Int>, _ kept: Kept, _ random: inout SplitMix64)
    -> [Scribble]
  {
    let isPlain = random.chance(2)
    return ids.map { id in
      let count = isPlain && !random.chance(10) ? 0 : random.below(8)
      return Scribble(
        id: Int64(id), steps: (0..<count).map { _ in step(&random) }, kept: kept)
    }
  }

  @Test func `What records do with copies of their containers does not change the containers`()
    throws
  {
    let run = RandomRun("Random containers")
    run.repeated(seconds: 0.6) { random in
      do {
        try inEmptyDatabase { db in
          try db.execute(sql: "CREATE TABLE scribble (id INTEGER PRIMARY KEY, a, b, c, d)")
          try Self.write(db, &random)
        }
      } catch {
        Issue.record("\(error), seed \(run.seed)")
      }
    }
  }

  private static func write(_ db: Database, _ random: inout SplitMix64) throws {
    let kept = Kept()
    try Scribble.insert(db, contentsOf: records(1..<40, kept, &random))
    for record in records(40..<60, kept, &random) { try record.insert(db) }
    try Scribble.insert(db, contentsOf: records(60..<400, kept, &random))
    for record in records(1..<30, kept, &random) { try record.update(db) }
    for record in records(390..<410, kept, &random) { try record.save(db) }
    for row in try Row.fetchAll(db, sql: "SELECT * FROM scribble") {
      let stored = Dictionary(uniqueKeysWithValues: row.map { ($0, $1) })
      #expect(stored == kept.records[row["id"]])
    }
    #expect(try Table("scribble").fetchCount(db) == 409)
    for (container, model) in zip(kept.containers, kept.models) {
      for (column, value) in model { #expect(container.value(forColumn: column) == value) }
    }
  }
}

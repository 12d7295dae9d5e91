import QuarryTestSupport
import Testing

@testable import Quarry

struct PersistenceContainerTests {
  @Test func `Columns keep the order in which they are set first`() {
    var container = PersistenceContainer()
    container["b"] = 1
    container["a"] = "x"
    container[Column("c")] = nil
    #expect(container.map(\.0) == ["b", "a", "c"])
    #expect(container.map(\.1) == [1.databaseValue, "x".databaseValue, .null])
    #expect(container.count == 3)
    #expect(container[1] == ("a", "x".databaseValue))
  }

  @Test func `Setting a column again keeps its place and first spelling`() {
    var container = PersistenceContainer()
    container["Name"] = "a"
    container["id"] = 1
    container["NAME"] = "b"
    #expect(container.map(\.0) == ["Name", "id"])
    #expect(container["name"]?.databaseValue == "b".databaseValue)
    #expect(container[Column("ID")]?.databaseValue == 1.databaseValue)
    #expect(container["missing"] == nil)
  }

  @Test func `A container that expects columns keeps its column set as long as they come in order`()
  {
    let columnSet = ColumnSet(names: ["a", "b", "c"])
    var same = PersistenceContainer(storage: ContainerStorage(expecting: columnSet))
    for column in ["a", "b", "c"] { same[column] = 1 }
    #expect(same.columnSet === columnSet)

    var longer = same
    longer["d"] = 1
    #expect(longer.columnSet == nil)
    #expect(longer.map(\.0) == ["a", "b", "c", "d"])
    #expect(same.map(\.0) == ["a", "b", "c"])
  }

  @Test func `A container that expects other columns has those that are set`() throws {
    struct Two: EncodableRecord {
      var columns: [String]
      func encode(to container: inout PersistenceContainer) {
        for column in columns { container[column] = column }
      }
    }
    let columnSet = ColumnSet(names: ["a", "b", "c"])
    for columns in [["a"], ["b"], ["a", "c"], ["a", "B", "x"], ["c", "b", "a"], []] {
      var container = PersistenceContainer(storage: ContainerStorage(expecting: columnSet))
      try container.fill(from: Two(columns: columns))
      #expect(container.map(\.0) == columns)
      #expect(container.map(\.1) == columns.map(\.databaseValue))
      #expect(container.columnSet == nil)
    }
  }

  @Test func `Expected columns are not set before their turn`() {
    var container = PersistenceContainer(
      storage: ContainerStorage(expecting: ColumnSet(names: ["a", "b"])))
    #expect(container["b"] == nil)
    container["b"] = 1
    container["a"] = 2
    #expect(container.map(\.0) == ["b", "a"])
    #expect(container["A"]?.databaseValue == 2.databaseValue)
  }
}

struct DatabaseChangesTests {
  private struct Player: Codable, EncodableRecord {
    var id: Int
    var name: String?
    var score: Double
  }

  private struct Partial: EncodableRecord {
    func encode(to container: inout PersistenceContainer) { container["ID"] = 1 }
  }

  @Test func `Changes are the old values of the columns that differ`() throws {
    let old = Player(id: 1, name: "a", score: 1)
    let new = Player(id: 1, name: nil, score: 2)
    #expect(
      try new.databaseChanges(from: old)
        == ["name": "a".databaseValue, "score": 1.0.databaseValue])
    #expect(try old.databaseChanges(from: old).isEmpty)
  }

  @Test func `A column that the other record lacks counts as NULL`() throws {
    let changes = try Player(id: 1, name: nil, score: 2).databaseChanges(from: Partial())
    #expect(changes == ["score": .null])
  }

  @Test func `Integers and doubles are equal when their values are`() throws {
    struct IntPlayer: Codable, EncodableRecord {
      var score: Int
    }
    struct DoublePlayer: Codable, EncodableRecord {
      var score: Double
    }
    #expect(try IntPlayer(score: 1).databaseChanges(from: DoublePlayer(score: 1)).isEmpty)
  }

  @Test func `Records are equal when no column differs`() {
    let player = Player(id: 1, name: "a", score: 1)
    #expect(player.databaseEquals(player))
    #expect(!player.databaseEquals(Player(id: 1, name: "b", score: 1)))
  }

  @Test func `Changes are made by a modification`() throws {
    var player = Player(id: 1, name: "a", score: 1)
    let changes = try player.databaseChanges {
      $0.name = "b"
      $0.score = 1
    }
    #expect(changes == ["name": "a".databaseValue])
    #expect(player.name == "b")
  }

  @Test func `A dictionary has all columns`() throws {
    #expect(
      try Player(id: 1, name: nil, score: 2).databaseDictionary
        == ["id": 1.databaseValue, "name": .null, "score": 2.0.databaseValue])
  }

  @Test func `A record that can't be encoded throws, and equals nothing`() {
    struct Failing: EncodableRecord {
      struct Failure: Error {}
      func encode(to container: inout PersistenceContainer) throws { throw Failure() }
    }
    #expect(throws: Failing.Failure.self) { try Failing().databaseDictionary }
    #expect(!Failing().databaseEquals(Failing()))
  }
}

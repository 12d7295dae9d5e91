import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// Random lists: the changes are the difference of two fetches, and they lead from one list to the
/// other.
@Suite("Random changes of a request") struct RandomRecordListTests {
  private struct Item: Codable, Equatable, FetchableRecord, PersistableRecord {
    enum Columns {
      static let id = Column(CodingKeys.id)
      static let place = Column(CodingKeys.place)
    }
    var id: Int
    var place: Int
    var text: String
  }

  @Test(arguments: ConnectionKind.allCases)
  func `changes lead from one list to the next`(kind: ConnectionKind) async throws {
    let run = RandomRun("Changes of a request, \(kind)")
    let count = try await run.repeated(seconds: 1) { random in
      try await kind.withDatabase { writer in
        try await writer.write { db in
          try db.execute(
            sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, place INTEGER, text TEXT)")
        }
        try await walk(writer, &random)
      }
    }
    print("Changes of a request, \(kind): \(count) walks of 10 transactions")
    #expect(count > 0)
  }

  private func walk(_ writer: any DatabaseWriter, _ random: inout SplitMix64) async throws {
    let request = Item.filter { $0.place < 15 }.order { [$0.place, $0.id] }
    var lists = ValueObservation.changes(of: request).values(in: writer).makeAsyncIterator()
    var former: [Item] = []
    #expect(try await lists.next() != nil)
    for _ in 0..<10 {
      let sql = (0...random.below(4)).map { _ in change(&random) }.joined(separator: "; ")
      let current = try await writer.write { db in
        try db.execute(sql: sql)
        return try request.fetchAll(db)
      }
      guard current != former else { continue }
      let list = try #require(try await lists.next())
      #expect(list.records == current)
      expect(list.changes, leadFrom: former, to: current)
      former = current
    }
  }

  private func change(_ random: inout SplitMix64) -> String {
    let (id, place) = (random.below(12), random.below(20))
    return random.pick([
      "INSERT OR REPLACE INTO item VALUES (\(id), \(place), 'new')",
      "INSERT OR IGNORE INTO item VALUES (\(id), \(place), 'other')",
      "DELETE FROM item WHERE id = \(id)", "UPDATE item SET place = \(place) WHERE id = \(id)",
      "UPDATE item SET text = text || '!' WHERE place > \(place)",
      "UPDATE item SET place = 19 - place WHERE id > \(id)",
      "UPDATE OR REPLACE item SET id = \(id) WHERE place = \(place)",
    ])
  }

  private func expect(
    _ changes: [RecordListChange<Item>], leadFrom old: [Item], to new: [Item]
  ) {
    var removed: Set<Int> = []
    var added: [(offset: Int, item: Item)] = []
    var updates: [Int] = []
    var moved: Set<Int> = []
    for change in changes {
      switch change {
      case .deleted(let item, let offset):
        #expect(old[offset] == item)
        removed.insert(offset)
      case .inserted(let item, let offset):
        #expect(!old.contains { $0.id == item.id })
        added.append((offset, item))
      case .moved(let item, let from, let offset):
        #expect(old[from].id == item.id && !removed.contains(from))
        removed.insert(from)
        moved.insert(item.id)
        added.append((offset, item))
      case .updated(let before, let after, let offset):
        #expect(before != after && before.id == after.id)
        #expect(new[offset] == after && old.contains(before))
        updates.append(after.id)
      }
    }
    var list = old.indices.filter { !removed.contains($0) }.map { old[$0].id }
    for (offset, item) in added.sorted(by: { $0.offset < $1.offset }) {
      list.insert(item.id, at: offset)
    }
    #expect(list == new.map(\.id))
    let updated = new.filter { item in old.contains { $0.id == item.id && $0 != item } }
    #expect(updates == updated.map(\.id))
    #expect(moved.count == fewestMoves(from: old.map(\.id), to: new.map(\.id)))
  }

  /// The fewest moves, in quadratic time.
  private func fewestMoves(from old: [Int], to new: [Int]) -> Int {
    let common = new.compactMap { id in old.firstIndex(of: id) }
    var longest = [Int](repeating: 1, count: common.count)
    for (index, position) in common.enumerated() {
      for former in 0..<index where common[former] < position {
        longest[index] = max(longest[index], longest[former] + 1)
      }
    }
    return common.count - (longest.max() ?? 0)
  }
}

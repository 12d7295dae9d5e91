import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// Databases that change rows at random, and exchange batches that get lost, come twice, or late.
/// Each one shows at each moment what the model says of the transactions that it has.
@Suite("Databases that are synchronized at random", .needs(.sessions))
struct SyncModelTests {
  /// A policy that needs all versions: the sum of sizes, the longest note, and a deletion loses.
  private static let merging = ConflictPolicy { conflict in
    let rows = conflict.versions.compactMap(\.row)
    guard let last = rows.last else { return nil }
    var fields: [String: DatabaseValue] = [:]
    for (column, value) in last { fields[column] = value }
    return Row(merged(fields, rows.map { $0["size"] }, rows.map { $0["note"] }))
  }

  private static func merged(
    _ last: SyncModel.Fields, _ sizes: [DatabaseValue?], _ notes: [DatabaseValue?]
  ) -> SyncModel.Fields {
    var fields = last
    if last["size"] != nil {
      let sum = sizes.compactMap { $0.flatMap(Double.fromDatabaseValue) }.reduce(0, +)
      fields["size"] = sum.databaseValue
    }
    if last["note"] != nil {
      let texts = notes.compactMap { $0.flatMap(String.fromDatabaseValue) }
      fields["note"] = texts.max { ($0.count, $0) < ($1.count, $1) }?.databaseValue ?? .null
    }
    return fields
  }

  private static func model(isMerging: Bool) -> SyncModel {
    var model = SyncModel()
    guard isMerging else { return model }
    model.merge = { heads in
      let rows = heads.compactMap(\.fields)
      return rows.last.map { merged($0, rows.map { $0["size"] }, rows.map { $0["note"] }) }
    }
    return model
  }

  /// A random change, whose constraints may be violated.
  private func change(_ db: Database, _ numbers: inout SplitMix64) throws {
    let team = numbers.below(4)
    let member = numbers.pick(["m", "n", "o", "p"])
    let other = numbers.pick(["m", "n", "o", "p"])
    let name = numbers.pick(["Red", "red", "Blue", "Green", nil])
    let email = numbers.pick(["a", "b", "A", nil, nil])
    let phone = numbers.pick([1, 2, nil])
    let number = numbers.below(3)
    let verb = numbers.pick(["INSERT", "REPLACE", "INSERT OR IGNORE"])
    do {
      switch numbers.below(11) {
      case 0, 1:
        try db.execute(
          sql: "\(verb) INTO team VALUES (?, ?, ?)",
          arguments: [team, name, Double(numbers.below(100)) / 4])
      case 2: try db.execute(sql: "DELETE FROM team WHERE id = ?", arguments: [team])
      case 3:
        try db.execute(
          sql: "UPDATE OR REPLACE team SET name = ? WHERE id = ?", arguments: [name, team])
      case 4:
        try db.execute(sql: "UPDATE team SET size = size + 1 WHERE id >= ?", arguments: [team])
      case 5, 6:
        try db.execute(
          sql: "\(verb) INTO member VALUES (?, ?, ?, ?, ?, ?)",
          arguments: [
            member, numbers.pick([team, nil]), email, phone, numbers.pick([other, nil, nil]),
            numbers.text(upTo: 4),
          ])
      case 7: try db.execute(sql: "DELETE FROM member WHERE id = ?", arguments: [member])
      case 8:
        try db.execute(
          sql: "UPDATE member SET email = ?, bossId = ? WHERE id = ?",
          arguments: [email, numbers.pick([other, nil]), member])
      case 9:
        try db.execute(
          sql: "\(verb) INTO badge VALUES (?, ?, ?)",
          arguments: [numbers.pick(["gold", "GOLD"]), number, numbers.pick([member, nil])])
      default: try db.execute(sql: "DELETE FROM badge WHERE number = ?", arguments: [number])
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
  }

  private func write(_ peer: SyncPeer, _ numbers: inout SplitMix64) throws {
    // Clocks that go wrong, also backwards.
    let seconds = Double(numbers.below(20)) - 8
    if numbers.chance(3) { peer.clock.withLock { $0 += seconds } }
    let isRolledBack = numbers.chance(6)
    try peer.queue.writeWithoutTransaction { db in
      // A row that references none, which SQLite lets pass.
      func ignoringConflict(_ body: () throws -> Void) throws {
        do { try body() } catch let error as ChangesetError where error.code == .conflict {}
      }
      try ignoringConflict {
        try db.inTransaction {
          for _ in 0..<(1 + numbers.below(4)) {
            let isUndone = numbers.chance(6)
            try db.inSavepoint {
              try change(db, &numbers)
              return isUndone ? .rollback : .commit
            }
          }
          return isRolledBack ? .rollback : .commit
        }
      }
    }
  }

  @Test(arguments: [2, 3], [false, true])
  func `all show what the model says, at each moment and in the end`(count: Int, isMerging: Bool)
    throws
  {
    let run = RandomRun("synchronization of \(count), \(isMerging)")
    let rounds = try run.repeated(seconds: 1) { numbers in
      let seed = numbers
      let peers = try ["A", "B", "C"].prefix(count).map {
        try SyncPeer($0, policy: isMerging ? Self.merging : .lastWriterWins)
      }
      var models = peers.map { _ in Self.model(isMerging: isMerging) }
      var known = peers.map { _ in Int64(0) }
      var letters: [(to: Int, batch: ChangeBatch)] = []

      func check(_ index: Int, _ step: String) throws {
        for transaction in try peers[index].transactions(after: known[index]) {
          models[index].add(transaction)
        }
        known[index] = try peers[index].log.lastPosition
        let rows = try peers[index].modelRows()
        let expected = models[index].rows()
        guard rows != expected else { return }
        Issue.record(
          "\(step): \(peers[index].name) has \(rows), not \(expected), \(run.seed), \(seed)")
        throw Difference()
      }

      for _ in 0..<(10 + numbers.below(50)) {
        let index = numbers.below(count)
        switch numbers.below(8) {
        case 0..<4:
          try write(peers[index], &numbers)
          try check(index, "write")
        case 4, 5:
          // A batch from where the other one is, or from before, in whole or in part.
          let other = (index + 1 + numbers.below(count - 1)) % count
          var position = try peers[other].log.cursor(of: peers[index].name)
          if numbers.chance(4) { position = Int64(numbers.below(Int(position) + 1)) }
          let batch = try peers[index].log.changes(
            after: position, for: numbers.chance(3) ? nil : peers[other].name,
            limit: 1 + numbers.below(6))
          letters.append((other, batch))
        case 6 where !letters.isEmpty:
          let place = numbers.below(letters.count)
          let letter = letters[place]
          if !numbers.chance(4) { letters.remove(at: place) }
          if numbers.chance(6) { continue }
          // A forwarded transaction may come before the one that it depends on.
          do { try peers[letter.to].log.receive(letter.batch) } catch let error as ChangesetError
            where error.code == .order
          {}
          try check(letter.to, "receive")
        default:
          if numbers.chance(3) { try peers[index].open() }
        }
      }
      try exchange(peers)
      for index in peers.indices { try check(index, "end") }
      let tables = try peers[0].tables()
      for peer in peers { try #expect(peer.tables() == tables, "\(run.seed)") }
    }
    print("synchronization of \(count): \(rounds) rounds")
  }

  private struct Difference: Error {}
}

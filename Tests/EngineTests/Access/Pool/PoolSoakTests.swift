import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Four readers and a writer in this process, some of them cancelled, and a writer in another
/// process, which is killed again and again. `QUARRY_SOAK_SECONDS` says how long; without it, the
/// test is short.
@Suite(.timeLimit(.minutes(20)))
struct PoolSoakTests {
  private let seconds = ProcessInfo.processInfo.environment["QUARRY_SOAK_SECONDS"].flatMap(
    Double.init)

  /// Which transfers were reported as committed, and which as undone.
  private struct Journal {
    var committed: [String] = []
    var undone: [String] = []
  }

  @Test func `nothing that was acknowledged is lost, and no read sees half a transaction`()
    async throws
  {
    try await Accounts.withPool { pool async throws in
      var journal = Journal()
      let end = Date() + (seconds ?? 0)
      var round = 0
      repeat {
        round += 1
        try await run(round, on: pool, &journal)
      } while Date() < end
      try await check(journal, pool)
      print(
        "soak: \(round) killed processes, \(journal.committed.count) transfers committed,",
        "\(journal.undone.count) cancelled")
    }
  }

  /// The life of another process.
  private func run(_ round: Int, on pool: DatabasePool, _ journal: inout Journal) async throws {
    let peer = try PeerProcess(pool, "transfers", "p\(round)", "1000000")
    for number in 1...(seconds == nil ? 20 : 300) {
      async let reads: Bool = Self.read(pool)
      let name = "own\(round)"
      let isCommitted = try await Self.transfer(
        name, number, isCancelled: number.isMultiple(of: 3), on: pool)
      if isCommitted {
        journal.committed.append("\(name) \(number)")
      } else {
        journal.undone.append("\(name) \(number)")
      }
      #expect(try await reads)
    }
    peer.kill()
    for line in peer.remainingLines() {
      #expect(line != "half")
      if line.hasPrefix("t ") { journal.committed.append("p\(round) \(line.dropFirst(2))") }
    }
  }

  /// Four reads at once, and one that is cancelled: returns whether all have seen whole
  /// transactions.
  private static func read(_ pool: DatabasePool) async throws -> Bool {
    let cancelled = Task { try await pool.read(Accounts.areWhole) }
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 1...4 { group.addTask { try await pool.read(Accounts.areWhole) } }
      cancelled.cancel()
      let isWhole = try? await cancelled.value
      return try await group.allSatisfy { $0 } && isWhole != false
    }
  }

  /// Returns whether the transfer was committed, which may have been cancelled at any moment.
  private static func transfer(
    _ process: String, _ number: Int, isCancelled: Bool, on pool: DatabasePool
  ) async throws -> Bool {
    let task = Task {
      try await pool.write { db in try Accounts.transfer(db, process, number) }
    }
    if isCancelled { task.cancel() }
    do {
      try await task.value
      return true
    } catch is CancellationError where isCancelled {
      return false
    }
  }

  private func check(_ journal: Journal, _ pool: DatabasePool) async throws {
    #expect(try await pool.read(Accounts.areWhole))
    let stored = try await pool.read { db in
      try Set(String.fetchAll(db, sql: "SELECT process || ' ' || number FROM transfer"))
    }
    #expect(journal.committed.filter { !stored.contains($0) } == [])
    #expect(journal.undone.filter { stored.contains($0) } == [])
    let integrity = try await pool.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check")
    }
    #expect(integrity == ["ok"])
  }
}

import ByHand
import Foundation
import Harness
import WithGRDB
import WithQuarry

extension AccessTable {
  /// What an access costs beside its work.
  func addEmptyAccesses(_ folder: Folder) async throws {
    let contenders = try Contenders(folder, readers: 1)
    let count = 20_000
    func measure(_ body: @escaping () throws -> Void) -> () throws -> Double {
      { try seconds { for _ in 0..<count { try body() } } / Double(count) }
    }
    let byHand = contenders.byHand
    try add("BEGIN, COMMIT", .microseconds, [measure { try byHand.beginAndCommit() }, nil, nil])
    try add(
      "empty read", .microseconds,
      contenders.all.map { contender in measure { try contender.readNothing() } })
    try add(
      "empty write", .microseconds,
      contenders.all.map { contender in measure { try contender.writeNothing() } })
    try await addTasks("empty read of a task", contenders, count) { try await $0.readNothing() }
    try await addTasks("empty write of a task", contenders, count) { try await $0.writeNothing() }
  }

  private func addTasks(
    _ title: String, _ contenders: Contenders, _ count: Int,
    _ body: @escaping @Sendable (AccessTasks) async throws -> Void
  ) async throws {
    guard options.filter.isEmpty || title.contains(options.filter) else { return }
    var best: [Double?] = [nil, nil, nil]
    for round in 0...options.rounds {
      for (index, contender) in contenders.all.enumerated() {
        guard let tasks = contender.tasks else { continue }
        let duration = try await ContinuousClock().measure {
          for _ in 0..<count { try await body(tasks) }
        }
        if round > 0 {
          best[index] = min(best[index] ?? .infinity, duration.seconds / Double(count))
        }
      }
    }
    show(title, .microseconds, best)
  }

  /// Point reads per second, of all threads together, alone and beside a thread that commits all
  /// the time.
  func addReads(_ folder: Folder) throws {
    let contenders = try Contenders(folder, readers: 8)
    for hasWriter in [false, true] {
      for threads in [1, 2, 4, 8] {
        try add(
          "point reads, \(threads) thread\(threads > 1 ? "s" : "")\(hasWriter ? ", a writer" : "")",
          .perSecond,
          contenders.all.map { contender in
            { try Self.reading(contender, threads: threads, hasWriter: hasWriter) }
          })
      }
    }
  }

  /// The seconds of a point read.
  private static func reading(
    _ contender: any AccessContender, threads: Int, hasWriter: Bool
  ) throws -> Double {
    let writer = Background(threads: hasWriter ? 1 : 0) { turn, _ in
      try contender.writeShelf(AccessDataset.id(turn, thread: 0))
    }
    let count = 40_000 / threads
    let time = try seconds {
      try inThreads(threads) { thread in
        for turn in 0..<count {
          let id = AccessDataset.id(turn, thread: thread)
          guard try contender.readName(id, thread: thread) == "Member \(id)" else {
            throw WrongResult()
          }
        }
      }
    }
    try writer.stop()
    return time / Double(count * threads)
  }

  /// Small transactions per second, alone and beside threads that read all the time.
  func addCommits(_ folder: Folder) throws {
    for synchronous in ["NORMAL", "FULL"] {
      let contenders = try Contenders(folder, readers: 4, synchronous: synchronous)
      for readers in [0, 4] {
        try add(
          "commits, \(synchronous.lowercased())\(readers > 0 ? ", \(readers) readers" : "")",
          .perSecond,
          contenders.all.map { contender in
            {
              try Self.committing(
                contender, readers: readers, count: synchronous == "FULL" ? 300 : 3_000)
            }
          })
      }
    }
  }

  /// The seconds of a transaction.
  private static func committing(
    _ contender: any AccessContender, readers: Int, count: Int
  ) throws -> Double {
    let reading = Background(threads: readers) { turn, thread in
      _ = try contender.readName(AccessDataset.id(turn, thread: thread), thread: thread)
    }
    let time = try seconds {
      for turn in 0..<count { try contender.writeShelf(AccessDataset.id(turn, thread: 0)) }
    }
    try reading.stop()
    return time / Double(count)
  }

  /// Opening a pool on a file with many tables, and its first query.
  func addOpening(_ folder: Folder) throws {
    let path = try folder.makeFile(AccessDataset.manyTables)
    func measure(
      _ open: @escaping () throws -> any AccessContender
    ) -> () throws -> Double {
      {
        try seconds {
          guard try open().count("table\(AccessDataset.tableCount)") == 0 else {
            throw WrongResult()
          }
        }
      }
    }
    try add(
      "opening, \(AccessDataset.tableCount) tables, first query", .milliseconds,
      [
        measure { try PoolByHand(path: path, readers: 1, synchronous: "NORMAL") },
        measure { try WithQuarry.PoolToolkit(path: path, readers: 1, synchronous: "NORMAL") },
        measure { try WithGRDB.PoolToolkit(path: path, readers: 1, synchronous: "NORMAL") },
      ])
  }
}

/// A contender has not read what is in the file.
struct WrongResult: Error {}

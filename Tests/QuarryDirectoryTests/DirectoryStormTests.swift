import Foundation
import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryDirectory

@Suite("Storms of accesses")
struct DirectoryStormTests {
  @Test func `no access is lost when databases open, close, fail and are canceled`() async throws {
    let run = RandomRun("storm of accesses")
    try await run.repeated(seconds: 2) { generator in
      try await withTemporaryDirectory { folder in
        try await Storm(folder, &generator).run(seed: run.seed)
      }
    }
  }

  @Test func `removals and accesses exclude each other`() async throws {
    let run = RandomRun("storm of removals")
    try await run.repeated(seconds: 1) { generator in
      let seeds = (0..<8).map { _ in generator.next() }
      try await withTemporaryDirectory { folder in
        let directory = try makeDirectory(folder, .limit(2))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for seed in seeds {
            group.addTask { try await Self.addOrRemove(directory, SplitMix64(seed: seed)) }
          }
          try await group.waitForAll()
        }
        #expect(directory.keysInUse == [])
        try await directory.close()
        // What is left is a database, and has nothing beside it.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
          #expect(name.hasSuffix(".sqlite"), "seed \(run.seed)")
        }
      }
    }
  }

  private static func addOrRemove(
    _ directory: DatabaseDirectory<DatabaseQueue>, _ seed: SplitMix64
  ) async throws {
    var generator = seed
    for _ in 0..<60 {
      let key = generator.pick(["a", "b", "c"])
      if generator.chance(3) {
        do {
          try await directory.remove(key)
        } catch let error as DirectoryError where [.inUse, .missing].contains(error.code) {}
      } else {
        // The table is there, and so is what was written: nothing was removed meanwhile.
        try await directory.withDatabase(key) { queue in
          let title = "\(generator.next())"
          try await queue.write(addBook(title))
          #expect(try await queue.read(titles).contains(title))
        }
      }
    }
  }
}

/// Threads and tasks that use databases, of which few may be open.
private struct Storm {
  let directory: DatabaseDirectory<DatabaseQueue>
  let written = Log<String>()
  let limit: Int
  let seeds: [UInt64]

  init(_ folder: String, _ generator: inout SplitMix64) throws {
    limit = 1 + generator.below(4)
    seeds = (0..<12).map { _ in generator.next() }
    var options = DirectoryOptions.limit(limit)
    if generator.chance(2) { options.idleDuration = .milliseconds(generator.below(3)) }
    let faults = Locked(SplitMix64(seed: generator.next()))
    directory = try DatabaseDirectory(path: folder, options: options, migrator: bookMigrator) {
      if faults.withLock({ $0.chance(6) }) { throw Fault(name: "open") }
      return try DatabaseQueue(path: $1)
    }
  }

  func run(seed: UInt64) async throws {
    await withTaskGroup(of: Void.self) { group in
      for (index, seed) in seeds.enumerated() {
        group.addTask { await work(index, SplitMix64(seed: seed)) }
      }
    }
    // The last reference to a lease may be that of another thread.
    #expect(try await eventually { directory.keysInUse == [] }, "seed \(seed)")
    #expect(directory.openKeys.count <= limit, "seed \(seed)")
    #expect(try await storedTitles() == written.elements.sorted(), "seed \(seed)")
    try await directory.close()
    #expect(directory.openKeys == [])
  }

  private func storedTitles() async throws -> [String] {
    var stored: [String] = []
    for key in try directory.keys() {
      stored += try await retrying { try await directory.read(key, titles) }
    }
    return stored.sorted()
  }

  private func retrying<T>(_ body: () async throws -> T) async throws -> T {
    while true {
      do { return try await body() } catch let error as DirectoryError
        where error.code == .cannotOpen
      {}
    }
  }

  private func work(_ index: Int, _ seed: SplitMix64) async {
    var generator = seed
    for number in 0..<25 {
      let (key, title) = ("k\(generator.below(7))", "\(index).\(number)")
      let kind = generator.below(6)
      let task = Task { try await access(kind, key, title) }
      if generator.chance(3) {
        if generator.chance(2) { await Task.yield() }
        task.cancel()
      }
      check(await task.result)
      #expect(directory.openKeys.count <= limit)
    }
  }

  private func access(_ kind: Int, _ key: String, _ title: String) async throws {
    let directory = directory
    switch kind {
    case 0: try await onOwnThread { try directory.write(key, addBook(title)) }
    case 1: return try await directory.closeIdleDatabases()
    case 2:
      let lease = try await directory.lease(key)
      await Task.yield()
      try await lease.database.write(addBook(title))
    case 3:
      return try await directory.write(key) { db in
        try addBook(title)(db)
        throw Fault(name: "write")
      }
    default: try await directory.write(key, addBook(title))
    }
    written.append(title)
  }

  private func check(_ result: Result<Void, any Error>) {
    switch result {
    case .success: break
    case .failure(let error as DirectoryError):
      #expect(error.code == .cannotOpen)
      #expect(error.underlyingError as? Fault == Fault(name: "open"))
    case .failure(let error):
      #expect(error is CancellationError || error as? Fault == Fault(name: "write"))
    }
  }
}

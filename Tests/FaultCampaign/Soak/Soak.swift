import Foundation
import Quarry
import TemporaryDirectories

/// A pool that is used for long: four readers, a writer, cancelled tasks, observers, another
/// process that writes and is killed, and faults of the file system now and then.
///
/// Transactions are whole, acknowledged ones are there, observers notice each commit, memory and
/// files stay as they are.
public final class Soak: Sendable {
  struct State: Sendable {
    var problems: [String] = []
    var writes = Latencies()
    var reads = Latencies()
    var asyncReads = Latencies()
    var cancellationCount = 0
    /// How many errors were thrown, and how many faults were set.
    var errorCount = 0
    var faultCount = 0
    var killCount = 0
    var sizes: [ProcessSize] = []
  }

  let pool: DatabasePool
  private let system: FaultySystem
  private let directory: TemporaryDirectory
  private let program: Program
  let state = Shared(State())
  let isOver = Shared(false)

  /// Creates the database.
  public init(_ program: Program) throws {
    self.program = program
    directory = try TemporaryDirectory()
    system = FaultySystem(isPatient: true)
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    configuration.maximumReaderCount = 5
    pool = try DatabasePool(
      path: system.uri("\(directory.path)/library.sqlite"), configuration: configuration)
    try pool.write(SoakWriter.createTables)
  }

  /// All that is wrong.
  public var problems: [String] { state.value.problems }

  func report(_ problem: String) {
    state.withLock { state in
      if state.problems.count < 20 { state.problems.append(problem) }
    }
  }

  /// An error, which only a fault may cause.
  func report(_ error: any Error, in what: String) {
    let isExpected: Bool
    if let error = error as? DatabaseError {
      isExpected = [.SQLITE_IOERR, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_BUSY]
        .contains(error.resultCode)
    } else {
      isExpected = false
    }
    state.withLock { state in
      state.errorCount += 1
      if !isExpected || state.errorCount > state.faultCount {
        state.problems.append("\(what), \(state.faultCount) faults: \(error)")
      }
    }
  }

  /// Works for so many seconds. Prints a line each minute.
  public func run(seconds: Double, _ generator: inout some RandomNumberGenerator) {
    let finished = DispatchGroup()
    func thread(_ body: @escaping @Sendable () -> Void) {
      finished.enter()
      Thread.detachNewThread {
        body()
        finished.leave()
      }
    }
    thread { SoakWriter(self).run() }
    for _ in 1...4 { thread { self.read() } }
    finished.enter()
    Task {
      await self.readAsynchronously()
      finished.leave()
    }
    let start = Date()
    var minute = start.addingTimeInterval(min(60, seconds / 10))
    while Date().timeIntervalSince(start) < seconds, problems.isEmpty {
      runProcess(&generator)
      let size = ProcessSize()
      state.withLock { $0.sizes.append(size) }
      if Date() > minute {
        print("after \(Int(Date().timeIntervalSince(start))) s: \(size)")
        fflush(nil)
        minute = minute.addingTimeInterval(min(60, seconds / 10))
      }
    }
    isOver.withLock { $0 = true }
    if finished.wait(timeout: .now() + 120) == .timedOut { report("the threads do not end") }
    checkEnd()
  }

  /// Another process writes, and meanwhile faults strike this one.
  private func runProcess(_ generator: inout some RandomNumberGenerator) {
    let number = state.value.killCount
    let path = "\(directory.path)/library.sqlite"
    do {
      let running = try RunningProgram(program, ["transactions", "pool", path, "other\(number)"])
      var count = 0
      let lineCount = Int.random(in: 10...300, using: &generator)
      while count < lineCount, let line = running.nextLine() {
        count += 1
        if !line.hasPrefix("t "), line != "done" { report("the other process says: \(line)") }
        if count % 50 == 0, let fault = Fault.once.randomElement(using: &generator) {
          strike(fault, at: Int.random(in: 1...200, using: &generator))
        }
      }
      running.kill()
      for line in running.remainingLines() where line.hasPrefix("t ") { count += 1 }
      _ = running.waitForEnd()
      state.withLock { $0.killCount += 1 }
      try checkOther("other\(number)", count: count)
    } catch {
      report(error, in: "the look at what the other process has written")
    }
  }

  private func strike(_ fault: Fault, at call: Int) {
    state.withLock { $0.faultCount += 1 }
    system.arm(fault, at: call)
    usleep(50_000)
    system.arm(nil)
  }

  /// What the other process has reported is there. Then it is deleted, so that the file has the
  /// same size all the time.
  private func checkOther(_ name: String, count: Int) throws {
    try pool.write { db in
      let value = try Int.fetchOne(
        db, sql: "SELECT value FROM counter WHERE process = ?", arguments: [name])
      if value ?? 0 < count { report("\(name) has \(value ?? 0) transactions of \(count)") }
      try SoakWriter.delete(name, db)
    }
  }

  private func read() {
    while !isOver.value {
      var isWhole = true
      let time = ContinuousClock().measure {
        do {
          isWhole = try pool.read(SoakWriter.areWhole)
        } catch {
          report(error, in: "a read")
        }
      }
      state.withLock { $0.reads.add(time) }
      if !isWhole { report("a read has seen half a transaction") }
      usleep(500)
    }
  }

  private func readAsynchronously() async {
    var number = 0
    while !isOver.value {
      number += 1
      let isCancelled = number.isMultiple(of: 3)
      let start = ContinuousClock.now
      let task = Task { [pool] in try await pool.read(SoakWriter.areWhole) }
      if isCancelled { task.cancel() }
      do {
        if try await !task.value { report("an asynchronous read has seen half a transaction") }
      } catch is CancellationError where isCancelled {
        state.withLock { $0.cancellationCount += 1 }
      } catch {
        report(error, in: "an asynchronous read")
      }
      let time = ContinuousClock.now - start
      state.withLock { $0.asyncReads.add(time) }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  private func checkEnd() {
    do {
      let integrity = try pool.read { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
      }
      if integrity != ["ok"] { report("the database is corrupt: \(integrity)") }
      try pool.close()
    } catch {
      report("at the end: \(error)")
    }
    if system.openFileCount > 0 { report("\(system.openFileCount) files are still open") }
    directory.remove()
    let sizes = state.value.sizes
    guard sizes.count >= 8 else { return }
    // The second quarter and the last one: the first one fills caches. A single size says little:
    // the memory of SQLite doubles and halves with the statements that run.
    let quarter = sizes.count / 4
    func mean(_ sizes: ArraySlice<ProcessSize>, _ part: (ProcessSize) -> Int) -> Int {
      sizes.map(part).reduce(0, +) / sizes.count
    }
    for (name, part, tolerance) in [
      ("the resident memory, in KiB", { $0.residentSize }, 4096),
      ("the memory of SQLite, in KiB", { $0.allocatedSize }, 512),
      ("the number of files", { $0.fileCount }, 4),
      ("the number of threads", { $0.threadCount }, 8),
    ] as [(String, (ProcessSize) -> Int, Int)] {
      let before = mean(sizes[quarter..<2 * quarter], part)
      let after = mean(sizes.suffix(quarter), part)
      if after > before + before / 10 + tolerance {
        report("\(name) has grown from \(before) to \(after)")
      }
    }
  }

  /// The figures, one on each line.
  public var summary: String {
    let state = state.value
    return """
      writes: \(state.writes.summary)
      reads by four threads: \(state.reads.summary)
      asynchronous reads: \(state.asyncReads.summary), \(state.cancellationCount) cancelled
      \(state.faultCount) faults, \(state.errorCount) errors; \(state.killCount) killed processes
      size: \(state.sizes.first.map { "\($0)" } ?? "")
      size at the end: \(state.sizes.last.map { "\($0)" } ?? "")
      """
  }
}

import Foundation
import Quarry

/// The kinds of connections that keep their database in a file.
public enum Connection: String, CaseIterable, Sendable {
  /// A queue on a file with a rollback journal.
  case queue
  /// A queue on a file with a write-ahead log.
  case walQueue
  /// A pool.
  case pool

  var hasLog: Bool { self != .queue }

  func open(
    _ path: String, _ configuration: Configuration
  ) throws -> any DatabaseWriter {
    var configuration = configuration
    // A reader that is not given back would be missed.
    configuration.maximumReaderCount = 1
    if self == .pool { return try DatabasePool(path: path, configuration: configuration) }
    if self == .walQueue { configuration.journalMode = .wal }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}

/// One run of a flow, with its database and all that is known about it.
final class Course {
  let connection: Connection
  let system: FaultySystem
  let directory: String
  let ledger: Ledger
  /// What runs without faults have read: the same must be read again, or an error thrown.
  let reference: Shared<[String: String]>
  private(set) var failures: [(step: String, error: any Error)] = []
  private(set) var problems: [String] = []
  private(set) var writer: (any DatabaseWriter)?
  /// How often closures of accesses ran, beyond once for each that has returned.
  private(set) var repetitionCount = 0
  /// What must be released at the end of the flow.
  private var probes: [(name: String, isAlive: () -> Bool)] = []

  init(
    _ connection: Connection, _ system: FaultySystem, directory: String, ledger: Ledger,
    reference: Shared<[String: String]>
  ) {
    self.ledger = ledger
    self.connection = connection
    self.system = system
    self.directory = directory
    self.reference = reference
  }

  func path(_ name: String = "library") -> String { "\(directory)/\(name).sqlite" }

  /// The configuration of the connections: pages must be read and written while a transaction runs.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = 10") }
    return configuration
  }

  /// Opens a database in the file system that can fail.
  func open(_ name: String = "library") throws -> any DatabaseWriter {
    try connection.open(system.uri(path(name)), Self.configuration)
  }

  /// Opens the database of the flow.
  func openDatabase() throws { writer = try open() }

  func forgetDatabase() { writer = nil }

  var database: any DatabaseWriter {
    get throws {
      guard let writer else { throw NotOpen() }
      return writer
    }
  }

  struct NotOpen: Error {}

  /// A part of the flow, which may throw because of a fault. The flow goes on.
  @discardableResult
  func step<T>(_ name: String, _ body: () throws -> T) -> T? {
    do {
      return try body()
    } catch is NotOpen {
      return nil
    } catch {
      failures.append((name, error))
      return nil
    }
  }

  func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
    if !condition { problems.append(text()) }
  }

  /// A result that is the same in all runs.
  func expectSame(_ name: String, _ value: some Any) {
    let text = "\(value)"
    let expected = reference.withLock { reference in
      if reference[name] == nil { reference[name] = text }
      return reference[name]
    }
    expect(text == expected, "\(name) is \(text.prefix(300)) instead of \(expected ?? "")")
  }

  /// A closure that accesses may repeat has begun.
  func closureDidRun() { repetitionCount += 1 }

  /// An access whose closure runs once where no lock is met has returned.
  func closureDidReturn() { repetitionCount -= 1 }

  /// An object that must be released at the end of the flow.
  func mustBeReleased(_ name: String, _ object: AnyObject) {
    probes.append((name, { [weak object] in object != nil }))
  }

  /// Waits until what runs on other threads satisfies a condition.
  func wait(for what: String, _ condition: () -> Bool) {
    // Long: tests that run in parallel may keep all threads of tasks and queues busy.
    let end = Date().addingTimeInterval(600)
    while !condition() {
      guard Date() < end else { return problems.append("waited in vain for \(what)") }
      usleep(200)
    }
  }

  /// Waits for a function that calls back on another thread.
  func waitForResult<T: Sendable>(
    _ start: (@escaping @Sendable (Result<T, any Error>) -> Void) throws -> Void
  ) throws -> T {
    let result = Shared<Result<T, any Error>?>(nil)
    try start { value in result.withLock { $0 = value } }
    wait(for: "a result") { result.value != nil }
    guard let value = result.value else { throw NotOpen() }
    return try value.get()
  }

  /// Waits for a task.
  func waitForTask<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) throws -> T {
    try waitForResult { (end: @escaping @Sendable (Result<T, any Error>) -> Void) in
      Task {
        do {
          end(.success(try await body()))
        } catch {
          end(.failure(error))
        }
      }
    }
  }

  func checkProbes() {
    for probe in probes { wait(for: "the release of \(probe.name)") { !probe.isAlive() } }
  }

  /// Writes a transaction with its entries.
  func commit(
    _ number: Int, entryCount: Int = 5, _ body: (Database) throws -> Void = { _ in }
  ) throws {
    ledger.begin(number, entryCount: entryCount)
    try database.write { db in
      for var entry in Ledger.entries(number, count: entryCount) { try entry.insert(db) }
      try body(db)
    }
    ledger.acknowledge(number)
  }
}

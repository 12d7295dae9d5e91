import Foundation
import Quarry
import QuarryTestSupport

/// Calls `body` with a pool on a new file that has the empty table `note`.
func withPool<T>(
  _ configuration: Configuration = Configuration(), _ body: (DatabasePool) throws -> T
) throws -> T {
  try withTemporaryDirectory { directory in
    try body(makePool(directory + "/library.sqlite", configuration))
  }
}

/// Calls `body` with a pool on a new file that has the empty table `note`.
func withPool<T>(
  _ configuration: Configuration = Configuration(), _ body: (DatabasePool) async throws -> T
) async throws -> T {
  try await withTemporaryDirectory { directory in
    try await body(makePool(directory + "/library.sqlite", configuration))
  }
}

func makePool(
  _ path: String, _ configuration: Configuration = Configuration()
) throws -> DatabasePool {
  let pool = try DatabasePool(path: path, configuration: configuration)
  try pool.write { db in
    try db.execute(sql: "CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, text TEXT)")
  }
  return pool
}

func readerCount(_ count: Int) -> Configuration {
  var configuration = Configuration()
  configuration.maximumReaderCount = count
  return configuration
}

extension Database {
  func insertNote() throws {
    try execute(sql: "INSERT INTO note (text) VALUES ('Return the books')")
  }

  func noteCount() throws -> Int {
    try Int.fetchOne(self, sql: "SELECT COUNT(*) FROM note") ?? -1
  }
}

extension DatabaseWriter {
  func insertNote() throws {
    try write { db throws in try db.insertNote() }
  }
}

extension DatabaseReader {
  func noteCount() throws -> Int {
    try read { db throws in try db.noteCount() }
  }
}

/// A thread of its own, for what must not block the threads of Swift and Dispatch.
func startThread(_ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread(body)
}

/// The place of a write that happens during a read.
enum WritePlace: CaseIterable {
  case nested, otherThread

  /// Runs `body`, and waits for its end.
  func run(_ body: @escaping @Sendable () throws -> Void) throws {
    guard self == .otherThread else { return try body() }
    let result = Log<Result<Void, any Error>>()
    let end = DispatchSemaphore(value: 0)
    startThread {
      result.append(Result { try body() })
      end.signal()
    }
    end.wait()
    try result.elements[0].get()
  }
}

/// A read of a pool that continues on a signal, on a thread of its own.
final class SteppedRead: Sendable {
  private let begun = DispatchSemaphore(value: 0)
  private let mayEnd = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let log = Log<String?>()

  /// Returns when `body` has begun its work. It is run when `finish` is called.
  init(_ access: @escaping @Sendable (_ pause: () -> Void) throws -> Void) {
    startThread { [self] in
      log.append(
        errorText {
          try access {
            begun.signal()
            mayEnd.wait()
          }
        })
      ended.signal()
    }
    begun.wait()
  }

  /// Lets the read go on, and returns the text of its error.
  @discardableResult func finish() -> String? {
    mayEnd.signal()
    ended.wait()
    return log.elements[0]
  }
}

/// Waits for a semaphore: asynchronous functions must not, and some tests do.
func waitFor(_ semaphore: DispatchSemaphore) {
  semaphore.wait()
}

import Foundation
import QuarryBlobs
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("The order in which a connection and what belongs to it are released")
struct ReleaseOrderTests {
  /// The references to a connection, to all that belongs to it, and to a function that ends with
  /// it.
  private static func makeReferences() throws -> (references: [Reference], isOpen: IsOpen) {
    let queue = try DatabaseQueue()
    let isOpen = IsOpen()
    let references: [Reference] = try queue.inDatabase { db in
      db.add(function: function(isOpen))
      db.trace(options: [.statement, .profile]) { event in _ = event.description }
      db.afterNextTransaction { _ in
      }
      try db.execute(
        sql: """
          CREATE TABLE cover (id INTEGER PRIMARY KEY, image BLOB);
          INSERT INTO cover VALUES (1, x'0102'), (2, x'03'), (3, NULL)
          """)
      let sql = "SELECT id, image, alive() FROM cover ORDER BY id"
      let rows = try Row.fetchCursor(db, sql: sql)
      let row = try rows.next()
      let images = try Data?.fetchCursor(db, sql: "SELECT image FROM cover")
      _ = try images.next()
      let returned = try Row.fetchCursor(
        db, sql: "INSERT INTO cover (id) VALUES (4), (5) RETURNING id")
      _ = try returned.next()
      return [
        Reference(db), Reference(try db.makeStatement(sql: sql)), Reference(rows),
        Reference(row as Any), Reference(images), Reference(returned),
        Reference(try db.openBlob(table: "cover", column: "image", rowID: 2)),
      ]
    }
    return (references + [Reference(queue)], isOpen)
  }

  private static func function(_ isOpen: IsOpen) -> DatabaseFunction {
    let end = End { isOpen.value.withLock { $0 = false } }
    return DatabaseFunction("alive", argumentCount: 0) { _ in end.value }
  }

  /// Several threads at a time take the next reference of the list, and release it.
  private static func release(_ references: [Reference], threads: Int) {
    let next = Locked(0)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < references.count else { return }
        references[index].release()
      }
    }
  }

  @Test(arguments: [1, 2])
  func `any order, from one thread or from two, closes the connection`(threads: Int) throws {
    let run = RandomRun("Release orders")
    try run.repeated(seconds: 1, atMost: 200) { generator in
      let (references, isOpen) = try Self.makeReferences()
      Self.release(references.shuffled(using: &generator), threads: threads)
      #expect(!isOpen.value.withLock { $0 }, "seed \(run.seed)")
    }
  }

  /// The last connection that is closed removes the log: it must be able to write.
  @Test func `a reader that outlives its pool is closed before the writer, and no log stays`()
    throws
  {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/library.sqlite"
      var reader = try Self.makeReader(path)
      withExtendedLifetime(reader) {
        #expect(reader != nil)
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
      }
      reader = nil
      for ending in ["-wal", "-shm"] {
        #expect(!FileManager.default.fileExists(atPath: path + ending))
      }
    }
  }

  /// The reader of a pool that is released.
  private static func makeReader(_ path: String) throws -> SerialConnection? {
    let pool = try makePool(path)
    #expect(try pool.noteCount() == 0)
    return pool.readers.connections.first
  }

  @Test func `a queue and its cursor are released by two threads at once`() throws {
    for _ in 1...300 {
      let (references, isOpen) = try Self.makeReferences()
      let last: Set = [2, references.count - 1]
      Self.release(
        references.indices.filter { !last.contains($0) }.map { references[$0] }, threads: 1)
      Self.release(last.map { references[$0] }, threads: 2)
      #expect(!isOpen.value.withLock { $0 })
    }
  }

  @Test
  func `a statement that another thread uses without access throws while its queue is released`()
    throws
  {
    for _ in 1...100 {
      let (references, _) = try Self.makeReferences()
      let queue = references[references.count - 1]
      let statement = Reference(references[1].value as Any)
      for reference in references.dropLast() { reference.release() }
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        guard index == 1 else { return queue.release() }
        for _ in 1...50 {
          let error = databaseError { try (statement.value as? Statement)?.execute() }
          #expect(error?.resultCode == .SQLITE_MISUSE)
        }
      }
    }
  }
}

/// What is kept until it is released, by whatever thread.
private final class Reference: @unchecked Sendable {
  private(set) var value: Any?

  init(_ value: Any) { self.value = value }

  func release() { value = nil }
}

private final class IsOpen: Sendable {
  let value = Locked(true)
}

/// Calls a function at its end.
private final class End: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  var value: Int { 1 }
}

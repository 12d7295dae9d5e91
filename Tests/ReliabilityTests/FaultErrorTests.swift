import CSQLite
import Foundation
import Quarry
import QuarryTestSupport
import Testing

@testable import FaultCampaign

/// The errors of faults name the operation.
struct FaultErrorTests {
  private static let writeError = Fault(
    operation: .write, code: SQLITE_IOERR | 3 << 8, name: "write error")

  private func withDatabase(
    _ connection: Connection, _ body: (any DatabaseWriter, FaultySystem, String) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let system = FaultySystem()
      let path = system.uri("\(directory)/library.sqlite")
      let writer = try connection.open(path, Configuration())
      try writer.write { db in
        try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
        try db.execute(sql: "INSERT INTO note (text) VALUES ('first')")
      }
      try body(writer, system, path)
      try writer.close()
    }
  }

  @Test func `the error of a checkpoint names it`() throws {
    try withDatabase(.walQueue) { writer, system, _ in
      system.arm(Self.writeError)
      let text = errorText {
        try writer.writeWithoutTransaction { db throws -> Void in try db.checkpoint(.full) }
      }
      #expect(
        text == """
          SQLite error 10: disk I/O error
          while running a checkpoint (full) of the database `main`
          """)
    }
  }

  @Test func `the error of a backup names both databases`() throws {
    try withDatabase(.queue) { writer, system, path in
      let copyPath = path.replacing("library", with: "copy")
      let copy = try DatabaseQueue(path: copyPath)
      system.arm(Self.writeError)
      let text = errorText { try writer.backup(to: copy) }
      #expect(
        text == """
          SQLite error 10: disk I/O error
          while copying the database `\(path)` to `\(copyPath)`
          """)
      try writer.backup(to: copy)
      try copy.close()
    }
  }

  /// The look at the schema fails, and SQLite ends the transaction: the next statement would only
  /// report this.
  @Test func `a request that is known reports the fault that has ended its transaction`() throws {
    try withDatabase(.queue) { writer, system, _ in
      let request = Table("note").filter(key: 1)
      func fetch() throws -> Int { try writer.read { db in try request.fetchCount(db) } }
      for _ in 1...3 { try #expect(fetch() == 1) }
      let fault = Fault(operation: .lock, code: SQLITE_IOERR | 15 << 8, name: "lock error")
      system.arm(fault)
      let error = databaseError { try fetch() }
      #expect(error?.resultCode == .SQLITE_IOERR)
      #expect(error?.sql?.hasSuffix("schema_version") == true)
      try #expect(fetch() == 1)
    }
  }
}

import Quarry
import QuarryTestSupport
import Testing

/// SQLite takes its log before the first connection is opened: in another process.
@Suite("Log of errors")
struct ErrorLogTests {
  @Test func `the errors of SQLite are logged`() async {
    await #expect(processExitsWith: .success) {
      let log = Log<String>()
      Database.logError = { code, message in log.append("\(code.rawValue) \(message)") }
      let queue = try DatabaseQueue()
      queue.inDatabase { db in try? db.execute(sql: "SELECT nope") }
      #expect(log.elements == ["1 no such column: nope in \"SELECT nope\""])
    }
  }

  @Test func `each error is reported as directly as the first ones`() async {
    await #expect(processExitsWith: .success) {
      let positions = Log<Int>()
      Database.logError = { _, _ in positions.append(stackPosition()) }
      let queue = try DatabaseQueue()
      queue.inDatabase { db in
        for _ in 1...500 { try? db.execute(sql: "SELECT nope") }
      }
      #expect(positions.elements.count == 500)
      #expect(stackGrowth(positions.elements) < 4096)
    }
  }

  @Test func `without function, nothing is logged`() async {
    await #expect(processExitsWith: .success) {
      let log = Log<String>()
      Database.logError = { _, message in log.append(message) }
      #expect(Database.logError != nil)
      Database.logError = nil
      #expect(Database.logError == nil)
      let queue = try DatabaseQueue()
      queue.inDatabase { db in try? db.execute(sql: "SELECT nope") }
      #expect(log.elements == [])
    }
  }
}

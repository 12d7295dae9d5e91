import Foundation
import Quarry
import TemporaryDirectories

/// A flow on a kind of connection, run with one fault after the other.
final class FaultRun {
  /// A fault, and the number of the call that it strikes.
  struct Point: Sendable, CustomStringConvertible {
    let fault: Fault
    let call: Int

    var description: String { "\(fault.name) at call \(call)" }
  }

  /// The fault, its effect, and all that is wrong.
  struct Outcome {
    /// Whether a step of the flow has thrown.
    let hasThrown: Bool
    let problems: [String]
  }

  let flow: Flow
  let connection: Connection
  private let files: [String: Data]
  private let ledger = Ledger()
  private let reference = Shared<[String: String]>([:])

  /// Prepares the files.
  init(_ flow: Flow, _ connection: Connection) throws {
    self.flow = flow
    self.connection = connection
    files = try flow.makeFiles(connection, ledger)
  }

  /// Runs the flow without fault. Returns all faults that it can meet.
  func points(_ faults: [Fault]) throws -> [Point] {
    var points: [Point] = []
    let faults = faults + (flow.onlyReads && faults.count > 2 ? [.shortRead] : [])
    var counts: [Int] = []
    let outcome = try run { system in
      counts = faults.map(system.callCount)
    }
    guard outcome.problems.isEmpty, !outcome.hasThrown else {
      throw FlowFailure(description: "\(flow) on a \(connection): \(outcome.problems)")
    }
    for (fault, count) in zip(faults, counts) where count > 0 {
      points += (1...count).map { Point(fault: fault, call: $0) }
    }
    return points
  }

  /// A flow that fails without fault.
  struct FlowFailure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs the flow with a fault.
  func run(_ point: Point) throws -> Outcome {
    try Watchdog.watch("\(flow) on a \(connection), \(point)") { try run(at: point) }
  }

  private func run(
    at point: Point? = nil, _ atEnd: (FaultySystem) -> Void = { _ in }
  ) throws -> Outcome {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    for (name, content) in files {
      try content.write(to: URL(fileURLWithPath: "\(directory.path)/\(name)"))
    }
    let system = FaultySystem()
    let course = Course(
      connection, system, directory: directory.path, ledger: Ledger(continuing: ledger),
      reference: reference)
    if !flow.opensDatabase { try course.openDatabase() }
    system.arm(point?.fault, at: point?.call ?? 1)
    flow.run(course)
    let struckCount = system.struckCount
    atEnd(system)
    system.arm(nil)
    course.checkFailures(of: point?.fault, struckCount: struckCount)
    course.checkTries(flow, point?.fault, struckCount: struckCount)
    course.checkAftermath(flow, reopens: point?.fault.isCached == true)
    if system.openFileCount > 0 {
      course.expect(false, "\(system.openFileCount) files are still open")
      // It can't be unregistered.
      _ = Unmanaged.passRetained(system)
    }
    return Outcome(
      hasThrown: !course.failures.isEmpty, problems: course.problems)
  }
}

/// The rollback to a savepoint has failed and ended the transaction. The error of the block goes
/// first, so that the next statement is what reports `SQLITE_ABORT`.
struct HiddenByBlock: Error {}

extension Course {
  /// One fault makes one step fail at most, with an error that says what has failed.
  fileprivate func checkFailures(of fault: Fault?, struckCount: Int) {
    let isLasting = fault?.isLasting == true || fault?.isCached == true
    let limit = fault == nil ? 0 : isLasting ? Int.max : struckCount
    if failures.count > limit {
      let list = failures.map { "\($0.step): \($0.error)" }.joined(separator: "; ")
      expect(false, "\(failures.count) steps have failed because of \(limit) faults: \(list)")
    }
    for (step, error) in failures where !(error is HiddenByBlock) {
      guard let error = error as? DatabaseError else {
        expect(false, "\(step) has thrown an error of another type: \(error)")
        continue
      }
      let isExpected = fault?.resultCodes.contains(error.resultCode.rawValue) ?? false
      expect(isExpected, "\(step) has thrown an error with another code: \(error)")
      let namesOperation = "\(error)".contains("while ") || "\(error)".contains(" - in column ")
      expect(namesOperation, "\(step): the error does not name the operation: \(error)")
    }
  }

  /// Closures are repeated because of locks only, and not more often than these are met.
  fileprivate func checkTries(_ flow: Flow, _ fault: Fault?, struckCount: Int) {
    guard flow.toleratesLocks else { return }
    guard fault?.isLock == true else {
      return expect(
        repetitionCount <= failures.count, "\(repetitionCount) closures ran again without a lock")
    }
    expect(failures.isEmpty, "a lock has not led to another try: \(failures)")
    expect(
      repetitionCount <= struckCount,
      "\(repetitionCount) closures ran again because of \(struckCount) locks")
  }

  /// After the fault, the database works, has everything that was acknowledged, and can be closed.
  fileprivate func checkAftermath(_ flow: Flow, reopens: Bool) {
    if flow.closesDatabase { forgetClosedDatabase() }
    if reopens {
      mend("closing after the fault") { try writer?.close() }
      forgetDatabase()
    }
    mend("opening after the fault") { if writer == nil { try openDatabase() } }
    mend("writing after the fault") {
      try database.write { db in
        if try !db.tableExists("entry") { try Ledger.createTables(db) }
      }
      try commit(1000)
    }
    mend("looking after the fault") {
      try database.writeWithoutTransaction { db throws -> Void in
        for problem in try checkSettings(db) + ledger.contradictions(db) + flow.check(db) {
          expect(false, "after the fault: \(problem)")
        }
      }
      let problems = try database.read(ledger.contradictions)
      expect(problems.isEmpty, "in a read after the fault: \(problems)")
    }
    checkProbes()
    mend("closing after the fault") { try writer?.close() }
    if let writer { mustBeReleased("the database", writer as AnyObject) }
    forgetDatabase()
    checkProbes()
    mend("opening the file without faults") {
      let queue = try DatabaseQueue(path: path())
      try queue.inDatabase { db throws -> Void in
        for problem in try ledger.contradictions(db) + flow.check(db) {
          expect(false, "in the file: \(problem)")
        }
      }
      try queue.close()
    }
  }

  private func mend(_ what: String, _ body: () throws -> Void) {
    do { try body() } catch { expect(false, "\(what): \(error)") }
  }

  private func checkSettings(_ db: Database) throws -> [String] {
    var problems: [String] = []
    if db.isInsideTransaction { problems.append("a transaction is open") }
    for (name, value) in [("foreign_keys", 1), ("legacy_alter_table", 0), ("query_only", 0)]
    where try Int.fetchOne(db, sql: "PRAGMA \(name)") != value {
      problems.append("PRAGMA \(name) is not \(value) any more")
    }
    return problems
  }

  private func forgetClosedDatabase() {
    let isClosed: Bool
    do {
      try database.read { _ in }
      isClosed = false
    } catch let error as DatabaseError {
      isClosed = error.message == "Connection is closed"
    } catch {
      isClosed = false
    }
    if isClosed { forgetDatabase() }
  }
}

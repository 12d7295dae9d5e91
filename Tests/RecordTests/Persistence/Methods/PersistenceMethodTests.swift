import QuarryTestSupport
import Testing

@testable import Quarry

/// Each persistence method of each kind of records: rows, SQL, callbacks, and failures.
struct PersistenceMethodTests {
  static let methods = methods(conflict: nil) + methods(conflict: .fail) + methodsInConflict

  private static func methods(conflict: Database.ConflictResolution?) -> [PersistenceMethod] {
    let methods: [[PersistenceMethod]] = [
      PersistenceMethods<MutablePerson>(conflict: conflict).ofMutableRecords,
      PersistenceMethods<FixedPerson>(conflict: conflict).ofMutableRecords,
      PersistenceMethods<FixedPerson>(conflict: conflict).ofFixedRecords,
      PersistenceMethods<PersonObject>(conflict: conflict).ofMutableRecords,
      PersistenceMethods<PersonObject>(conflict: conflict).ofFixedRecords,
    ]
    return Array(methods.joined())
  }

  private static var methodsInConflict: [PersistenceMethod] {
    let methods: [[PersistenceMethod]] = [
      PersistenceMethods<MutablePerson>(conflict: nil).ofMutableRecordsInConflict,
      PersistenceMethods<FixedPerson>(conflict: nil).ofMutableRecordsInConflict,
      PersistenceMethods<FixedPerson>(conflict: nil).ofFixedRecordsInConflict,
      PersistenceMethods<PersonObject>(conflict: nil).ofMutableRecordsInConflict,
      PersistenceMethods<PersonObject>(conflict: nil).ofFixedRecordsInConflict,
    ]
    return Array(methods.joined())
  }

  private static let rows = ["1 Ann", "2 Bob"]

  @Test(arguments: methods)
  func `The statement runs between the callbacks`(_ method: PersistenceMethod) throws {
    let outcome = try method.run(method.id, "Eve") { _ in }
    #expect(outcome.error == nil)
    #expect(outcome.events == method.steps)
    #expect(outcome.result == method.result)
    #expect(outcome.record == method.record)
    #expect(outcome.rows == method.rows)
  }

  @Test(arguments: methods.filter { !$0.isDeletion })
  func `A violated constraint is thrown through the callbacks around`(
    _ method: PersistenceMethod
  ) throws {
    let outcome = try method.run(method.id, "") { _ in }
    let error = try #require(outcome.error as? DatabaseError)
    let statement = try #require(method.statements.last)
    #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
    #expect(
      error.description == """
        SQLite error 19: CHECK constraint failed: name <> ''
        CHECK (name <> '') of the table person
        - while executing `\(method.steps[statement])`
        """)
    #expect(outcome.events == method.steps(failingAt: statement))
    #expect(outcome.rows == Self.rows)
    #expect(outcome.record == "\(method.id.map { "\($0)" } ?? "nil") ")
  }

  @Test(arguments: methods)
  func `An error of a callback is thrown, and ends the method there`(_ method: PersistenceMethod)
    throws
  {
    for index in method.throwingSteps {
      let outcome = try method.run(method.id, "Eve") { $0.failure = method.steps[index] }
      #expect(outcome.error is PersonJournal.Refusal)
      #expect(outcome.events == method.steps(failingAt: index))
      // What has run before has run: the transaction is the one to undo it.
      let isWritten = index > method.statements[method.statements.count - 1]
      #expect(outcome.rows == (isWritten ? method.rows : Self.rows))
    }
  }

  @Test(arguments: methods)
  func `A callback that does not call its action is an error`(_ method: PersistenceMethod) throws {
    for index in method.steps.indices {
      guard let action = method.steps[index].openedAction else { continue }
      let outcome = try method.run(method.id, "Eve") { $0.skipped = String(action) }
      let error = outcome.error as? DatabaseError
      #expect(
        error?.description == """
          SQLite error 21: Incorrect implementation of the \
          `\(method.type).around\(action.first.map { $0.uppercased() } ?? "")\(action.dropFirst())` persistence callback: the action function \
          was not called, or its error was not rethrown.
          """)
      // An update that is skipped fails: nothing is inserted instead of it.
      #expect(outcome.events == method.steps(failingAt: index))
      #expect(outcome.rows == Self.rows)
    }
  }
}

/// Updates and deletions of rows that are not there, or that others need.
struct MissingRowTests {
  private static let updates = PersistenceMethodTests.methods.filter(\.needsRow)
  private static let deletions = PersistenceMethodTests.methods.filter(\.isDeletion)

  @Test(arguments: updates)
  func `An update of no row is reported with the table and the key`(_ method: PersistenceMethod)
    throws
  {
    let outcome = try method.run(99, "Eve") { _ in }
    let error = try #require(outcome.error as? RecordError)
    #expect(error.description == "Key not found in table person: [id:99]")
    #expect(outcome.events == method.steps(failingAt: method.statements[0]))
    #expect(outcome.rows == ["1 Ann", "2 Bob"])
  }

  @Test(arguments: updates)
  func `An update without key runs no statement`(_ method: PersistenceMethod) throws {
    let outcome = try method.run(nil, "Eve") { _ in }
    let error = try #require(outcome.error as? RecordError)
    #expect(error.description == "Key not found in table person: [id:NULL]\n\(nullKeyDetails)")
    #expect(
      outcome.events
        == method.steps(failingAt: method.statements[0]).filter { !$0.isStatement })
  }

  @Test(arguments: deletions)
  func `A deletion of no row is reported by its callbacks and its result`(
    _ method: PersistenceMethod
  )
    throws
  {
    let missing = try method.run(99, "Eve") { _ in }
    #expect(missing.result == "false")
    #expect(missing.events == method.steps.dropLast() + ["didDelete false"])
    let keyless = try method.run(nil, "Eve") { _ in }
    #expect(keyless.result == "false")
    #expect(keyless.events == ["willDelete", "delete(", ")delete", "didDelete false"])
    #expect(keyless.rows == ["1 Ann", "2 Bob"])
  }

  @Test(arguments: deletions)
  func `A deletion that a foreign key forbids is thrown through the callbacks`(
    _ method: PersistenceMethod
  ) throws {
    let outcome = try method.run(2, "Bob") { _ in }
    let error = try #require(outcome.error as? DatabaseError)
    #expect(error.message == "FOREIGN KEY constraint failed")
    #expect(error.details?.hasPrefix("foreign key from ") == true)
    #expect(error.sql == #"DELETE FROM "person" WHERE "id"=?"#)
    #expect(outcome.events == method.steps(failingAt: method.statements[0]))
    #expect(outcome.rows == ["1 Ann", "2 Bob"])
  }
}

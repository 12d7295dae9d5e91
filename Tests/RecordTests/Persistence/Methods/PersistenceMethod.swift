import QuarryTestSupport
import Testing

@testable import Quarry

/// A persistence method, the record it is called on, and what it does.
///
/// Tables have the people `1 Ann` and `2 Bob`; the record is named *Eve*, or as the test wants.
struct PersistenceMethod: CustomTestStringConvertible, Sendable {
  typealias Call<Person> = @Sendable (inout Person, Database) throws -> String

  let name: String
  /// The type of the record.
  let type: String
  /// The identifier of the record before.
  let id: Int64?
  /// Callbacks and statements, in order.
  let steps: [String]
  /// What the method returns, as a text.
  let result: String
  /// The record afterwards.
  let record: String
  /// The rows afterwards.
  let rows: [String]
  /// Calls the method with a record of a name.
  let run:
    @Sendable (_ id: Int64?, _ name: String, _ configure: (PersonJournal) -> Void) throws ->
      Outcome

  /// What a call has done.
  struct Outcome {
    var events: [String] = []
    var result: String?
    var error: (any Error)?
    var record = ""
    var rows: [String] = []
  }

  /// - parameter rowID: the row that is written, nil for one that is deleted.
  /// - parameter changesRecord: false where a copy of the record is inserted.
  init<Person: WatchedPerson>(
    _ name: String, id: Int64?, rowID: Int64?, _ steps: [String], result: String,
    changesRecord: Bool = true, _ call: @escaping Call<Person>
  ) {
    self.name = name
    type = "\(Person.self)"
    self.id = id
    self.steps = steps
    self.result = result
    let takesIdentifier =
      Person.takesIdentifier && (changesRecord || Person.self is AnyClass)
    record = "\((takesIdentifier ? rowID ?? id : id).map { "\($0)" } ?? "nil") Eve"
    var people: [Int64: String] = [1: "Ann", 2: "Bob"]
    if let rowID { people[rowID] = "Eve" } else { people[id ?? 0] = nil }
    rows = people.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
    run = { id, name, configure in
      let journal = PersonJournal()
      configure(journal)
      return try Self.outcome(of: Person(id: id, name: name, journal: journal), call)
    }
  }

  private static func outcome<Person: WatchedPerson>(
    of person: Person, _ call: Call<Person>
  ) throws -> Outcome {
    var outcome = Outcome()
    try makeDatabase(sql: schema).write { db in
      var person = person
      let journal = person.journal
      db.trace { event in
        guard case .statement(let statement) = event,
          ["INSERT", "UPDATE", "DELETE"].contains(statement.sql.prefix(6))
        else { return }
        journal.events.append(statement.sql)
      }
      do {
        outcome.result = try call(&person, db)
      } catch {
        outcome.error = error
      }
      db.trace()
      outcome.events = journal.events
      outcome.record = person.text
      outcome.rows = try String.fetchAll(
        db, sql: "SELECT id || ' ' || name FROM person ORDER BY id")
    }
    return outcome
  }

  private static let schema = """
    CREATE TABLE person (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ''), rank INTEGER DEFAULT 7);
    CREATE TABLE pet (owner INTEGER REFERENCES person(id));
    INSERT INTO person (name) VALUES ('Ann'), ('Bob');
    INSERT INTO pet VALUES (2);
    """
}

extension PersistenceMethod {
  var testDescription: String { "\(type).\(name)" }

  /// True if a record without row is an error.
  var needsRow: Bool { steps.contains("didUpdate") && !name.hasPrefix("save") }

  var isDeletion: Bool { steps[0] == "willDelete" }

  /// The steps until one of them throws, and what is left by the error.
  func steps(failingAt index: Int) -> [String] {
    var open: [Substring] = []
    for step in steps[..<index] {
      if let action = step.openedAction { open.append(action) }
      if step.closesAction { open.removeLast() }
    }
    if steps[index].closesAction { open.removeLast() }
    return steps[...index] + open.reversed().map { "\($0) failed" }
  }

  /// The steps that are callbacks and can throw.
  var throwingSteps: [Int] {
    steps.indices.filter {
      steps[$0].hasPrefix("will") || steps[$0].openedAction != nil || steps[$0].hasPrefix(")")
    }
  }

  /// The statements.
  var statements: [Int] { steps.indices.filter { steps[$0].isStatement } }
}

extension String {
  var isStatement: Bool { first?.isUppercase == true }

  /// `save` in `save(`, `update` in `update(name`
  var openedAction: Substring? {
    guard !isStatement, !hasPrefix(")"), let end = firstIndex(of: "(") else { return nil }
    return self[..<end]
  }

  fileprivate var closesAction: Bool { hasPrefix(")") || hasSuffix(" failed") }
}

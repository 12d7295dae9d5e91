import Quarry
import QuarryTestSupport
import Testing

/// Triggers that another connection makes too late for this one to know of them: SQLite compiles
/// the statement again in its first step.
@Suite struct LateTriggerTests {
  /// When the trigger is made.
  enum Moment: CaseIterable {
    /// While the statement waits for the lock of the transaction that makes it.
    case wait
    /// Between the begin of a deferred transaction, for which SQLite reads nothing, and the
    /// statement.
    case begin
  }

  /// What a statement does beside a trigger, to one who has observed an earlier execution or not.
  struct Outcome: Equatable {
    var commits = 0
    var events: [String] = []
    var error: String?
  }

  private static let insertion = "INSERT INTO author (name) VALUES ('Ann')"
  private static let renaming = "UPDATE author SET name = 'Bob' WHERE id = 1"
  private static let noting = """
    CREATE TRIGGER late AFTER INSERT ON author BEGIN INSERT INTO note VALUES (new.name); END
    """

  private func outcome(
    of statement: String, beside trigger: String, _ kind: ConnectionKind, _ moment: Moment,
    of region: some DatabaseRegionConvertible & Sendable, isRolledBack: Bool = false,
    _ wants: ((DatabaseEventKind) -> Bool)?
  ) throws -> Outcome {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      if kind != .queue { configuration.journalMode = .wal }
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try other.write { db in
        try db.execute(
          sql: """
            \(shopSchema)
            CREATE UNIQUE INDEX byCountry ON author(country);
            INSERT INTO author VALUES (1, 'Ann', NULL), (2, 'Cid', 'IT');
            """)
      }
      configuration.allowsUnsafeTransactions = false
      if moment == .wait {
        configuration.busyMode = .callback { _ in
          (try? other.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }) != nil
        }
      }
      let writer = try kind.open(in: directory, configuration)
      let (commits, events) = (Log<Int>(), EventLog())
      if let wants {
        events.wants = wants
        writer.add(transactionObserver: events)
      }
      let cancellable = DatabaseRegionObservation(tracking: region).start(in: writer) {
        Issue.record($0)
      } onChange: { _ in
        commits.append(1)
      }
      defer { cancellable.cancel() }
      let error = databaseError {
        switch moment {
        case .wait:
          try other.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE; \(trigger)")
          }
          try writer.writeWithoutTransaction { db in try db.execute(sql: statement) }
        case .begin:
          try writer.writeWithoutTransaction { db in
            try db.inTransaction(.deferred) {
              try other.write { db in try db.execute(sql: trigger) }
              try db.execute(sql: statement)
              return isRolledBack ? .rollback : .commit
            }
          }
        }
      }
      return Outcome(commits: commits.elements.count, events: events.take(), error: error?.message)
    }
  }

  /// The commit is on its way already where the statement is one of its own.
  private func unspecified(_ moment: Moment) -> [String] {
    moment == .wait
      ? ["willCommit", "change", "didCommit"] : ["change", "willCommit", "didCommit"]
  }

  @Test(arguments: ConnectionKind.onFile, Moment.allCases)
  func `changes of another table are noticed`(kind: ConnectionKind, moment: Moment) throws {
    for isObserved in [false, true] {
      let outcome = try outcome(
        of: Self.insertion, beside: Self.noting, kind, moment, of: Table("note"),
        isObserved ? { $0.tableName == "note" } : nil)
      #expect(outcome == Outcome(commits: 1, events: isObserved ? unspecified(moment) : []))
    }
  }

  @Test(arguments: ConnectionKind.onFile)
  func `a rollback undoes them`(kind: ConnectionKind) throws {
    let outcome = try outcome(
      of: Self.insertion, beside: Self.noting, kind, .begin, of: Table("note"), isRolledBack: true
    ) { $0.tableName == "note" }
    #expect(outcome == Outcome(events: ["change", "didRollback"]))
  }

  /// A deferred transaction that has looked for the generated columns before would be refused.
  @Test(arguments: ConnectionKind.onFile)
  func `so are those of other columns`(kind: ConnectionKind) throws {
    let trigger = """
      CREATE TRIGGER late AFTER UPDATE OF name ON author BEGIN
        UPDATE author SET country = 'FR' WHERE id = 2;
      END
      """
    let outcome = try outcome(
      of: Self.renaming, beside: trigger, kind, .wait,
      of: Table("author").select(Column("country"))
    ) { kind in
      if case .update(_, let columns) = kind { columns.contains("country") } else { false }
    }
    #expect(outcome == Outcome(commits: 1, events: unspecified(.wait)))
  }

  @Test(arguments: ConnectionKind.onFile, Moment.allCases)
  func `so are those of other kinds`(kind: ConnectionKind, moment: Moment) throws {
    let trigger = """
      CREATE TRIGGER late AFTER INSERT ON author BEGIN
        UPDATE author SET country = 'FR' WHERE id = 1;
      END
      """
    let outcome = try outcome(
      of: Self.insertion, beside: trigger, kind, moment,
      of: Table("author").filter(Column("id") == 1)
    ) { kind in
      if case .update = kind { true } else { false }
    }
    #expect(outcome == Outcome(commits: 1, events: unspecified(moment)))
  }

  @Test(arguments: ConnectionKind.onFile)
  func `changes of the kinds of the statement have their events`(kind: ConnectionKind) throws {
    let trigger = """
      CREATE TRIGGER late AFTER UPDATE OF name ON author WHEN old.id = 1 BEGIN
        UPDATE author SET name = 'Bob' WHERE id = 2;
      END
      """
    let outcome = try outcome(
      of: Self.renaming, beside: trigger, kind, .wait,
      of: Table("author").filter(Column("id") == 2)
    ) { _ in true }
    let events = ["update author 1", "update author 2", "willCommit", "didCommit"]
    #expect(outcome == Outcome(commits: 1, events: events))
  }

  @Test(arguments: ConnectionKind.onFile, Moment.allCases)
  func `a statement that fails has its own error, and no commit`(
    kind: ConnectionKind, moment: Moment
  ) throws {
    let failures = [
      (
        """
        CREATE TRIGGER late AFTER INSERT ON author BEGIN
          INSERT INTO note VALUES (new.name);
          SELECT RAISE(ABORT, 'too late');
        END
        """, Self.insertion, "too late"
      ),
      (
        Self.noting, "INSERT INTO author (country) VALUES ('IT')",
        "UNIQUE constraint failed: author.country"
      ),
    ]
    for (trigger, statement, message) in failures {
      let outcome = try outcome(
        of: statement, beside: trigger, kind, moment, of: Table("note")
      ) { $0.tableName == "note" }
      let events = moment == .wait ? [] : ["didRollback"]
      #expect(outcome == Outcome(events: events, error: message))
    }
  }
}

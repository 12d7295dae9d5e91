import Quarry
import QuarryTestSupport
import Testing

/// Triggers and foreign key actions that another connection makes, and the first statement of this
/// one afterwards.
@Suite struct ForeignTriggerTests {
  private static let trigger = """
    CREATE TRIGGER noteAuthor AFTER INSERT ON author BEGIN INSERT INTO note VALUES (new.name); END
    """
  private static let insertion = "INSERT INTO author (name) VALUES ('Ann')"

  /// How the statement is executed.
  enum Execution: CaseIterable {
    case cached, fresh, kept
  }

  /// What the statement is executed in.
  enum Scope: CaseIterable {
    case autocommit, immediate, deferred

    func run(_ writer: any DatabaseWriter, _ body: (Database) throws -> Void) throws {
      try writer.writeWithoutTransaction { db in
        guard self != .autocommit else { return try body(db) }
        try db.inTransaction(self == .immediate ? .immediate : .deferred) {
          try body(db)
          return .commit
        }
      }
    }
  }

  private func withShops(
    _ kind: ConnectionKind, _ body: (any DatabaseWriter, DatabaseQueue) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let writer = try kind.open(in: directory)
      let other = try DatabaseQueue(path: directory + "/library.sqlite")
      try writer.write { db in try db.execute(sql: shopSchema) }
      try body(writer, other)
    }
  }

  /// Notifications of the region of notes, and the events of their table.
  private func observing(
    _ table: String, in writer: any DatabaseWriter, _ body: (Log<Int>, EventLog) throws -> Void
  ) throws {
    let (commits, events) = (Log<Int>(), EventLog())
    events.wants = { $0.tableName == table }
    writer.add(transactionObserver: events)
    let cancellable = DatabaseRegionObservation(tracking: Table(table)).start(in: writer) {
      Issue.record($0)
    } onChange: { _ in
      commits.append(1)
    }
    defer { cancellable.cancel() }
    try body(commits, events)
  }

  @Test(arguments: ConnectionKind.onFile, Execution.allCases)
  func `the first statement after the trigger reports its changes`(
    kind: ConnectionKind, execution: Execution
  ) throws {
    for scope in Scope.allCases {
      try expectEvents(of: execution, in: scope, kind)
    }
  }

  @Test(arguments: ConnectionKind.onFile, Execution.allCases)
  func `so does it where the schema has been forgotten before`(
    kind: ConnectionKind, execution: Execution
  ) throws {
    for scope in [Scope.autocommit, .immediate] {
      try expectEvents(of: execution, in: scope, kind) { writer in
        try writer.write { db in try db.execute(sql: "CREATE TABLE shop (name)") }
      }
    }
  }

  private func expectEvents(
    of execution: Execution, in scope: Scope, _ kind: ConnectionKind,
    before prepare: (any DatabaseWriter) throws -> Void = { _ in }
  ) throws {
    try withShops(kind) { writer, other in
      nonisolated(unsafe) var kept: Statement?
      func insert() throws {
        try scope.run(writer) { db in
          switch execution {
          case .cached: try db.cachedStatement(sql: Self.insertion).execute()
          case .fresh: try db.execute(sql: Self.insertion)
          case .kept:
            let statement = try kept ?? db.makeStatement(sql: Self.insertion)
            kept = statement
            try statement.execute()
          }
        }
      }
      try observing("note", in: writer) { commits, events in
        try insert()
        try prepare(writer)
        try other.write { db in try db.execute(sql: Self.trigger) }
        _ = events.take()
        for rowID in 1...2 {
          commits.removeAll()
          try insert()
          #expect(
            events.take() == ["insert note \(rowID)", "willCommit", "didCommit"], "\(scope)")
          #expect(commits.elements == [1], "\(scope)")
        }
      }
      kept = nil
    }
  }

  @Test(arguments: ConnectionKind.onFile, Scope.allCases)
  func `the first deletion after the definition of a cascade reports it`(
    kind: ConnectionKind, scope: Scope
  ) throws {
    try withShops(kind) { writer, other in
      let loans = """
        CREATE TABLE loan (id INTEGER PRIMARY KEY, authorId INTEGER);
        INSERT INTO loan VALUES (10, 1), (20, 2);
        """
      try writer.write { db in
        try db.execute(sql: "INSERT INTO author (id) VALUES (1), (2); \(loans)")
      }
      try observing("loan", in: writer) { commits, events in
        try other.write { db in
          let cascading = loans.replacing(
            "authorId INTEGER", with: "authorId INTEGER REFERENCES author(id) ON DELETE CASCADE")
          try db.execute(sql: "DROP TABLE loan; \(cascading)")
        }
        for id in 1...2 {
          commits.removeAll()
          try scope.run(writer) { db in
            try db.execute(sql: "DELETE FROM author WHERE id = ?", arguments: [id])
          }
          #expect(events.take() == ["delete loan \(id)0", "willCommit", "didCommit"])
          #expect(commits.elements == [1])
        }
      }
    }
  }

  @Test(arguments: ConnectionKind.onFile)
  func `outside of transactions, statements learn of triggers that are made between them`(
    kind: ConnectionKind
  ) throws {
    try withShops(kind) { writer, other in
      try observing("note", in: writer) { commits, events in
        try writer.writeWithoutTransaction { db in
          let statement = try db.makeStatement(sql: Self.insertion)
          try statement.execute()
          try other.write { db in try db.execute(sql: Self.trigger) }
          _ = events.take()
          try statement.execute()
          #expect(events.take() == ["insert note 1", "willCommit", "didCommit"])
        }
        #expect(commits.elements == [1])
      }
    }
  }

  @Test(arguments: [Scope.autocommit, .immediate], [false, true])
  func `so do statements that change an attached database`(
    scope: Scope, forgetsSchema: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let archive = try DatabaseQueue(path: directory + "/archive.sqlite")
      try archive.write { db in
        try db.execute(sql: "\(shopSchema) INSERT INTO author VALUES (1, 'Ann', 'IT')")
      }
      let queue = try DatabaseQueue(path: directory + "/library.sqlite")
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [archive.path])
      }
      let (commits, events) = (Log<Int>(), EventLog())
      events.wants = { kind in
        if case .update("author", let columns) = kind { columns.contains("country") } else { false }
      }
      queue.add(transactionObserver: events)
      let countries = SQLRequest<Row>(sql: "SELECT country FROM author")
      let cancellable = DatabaseRegionObservation(tracking: countries).start(in: queue) {
        Issue.record($0)
      } onChange: { _ in
        commits.append(1)
      }
      defer { cancellable.cancel() }
      func rename() throws {
        try scope.run(queue) { db in try db.execute(sql: "UPDATE author SET name = 'Bob'") }
      }
      try rename()
      if forgetsSchema { try queue.write { db in try db.execute(sql: "CREATE TABLE shop (name)") } }
      try archive.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER moved AFTER UPDATE OF name ON author BEGIN
              UPDATE author SET country = 'FR';
            END
            """)
      }
      commits.removeAll()
      _ = events.take()
      try rename()
      #expect(
        events.take() == ["update author 1", "update author 1", "willCommit", "didCommit"])
      #expect(commits.elements == [1])
    }
  }
}

import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// A function that an application has, and that a file of strangers would like to call.
private struct Spy: Sendable {
  let calls = Log<String>()

  func function(_ trust: SchemaTrust) -> DatabaseFunction {
    DatabaseFunction("spy", argumentCount: 1, pure: true, trust: trust) { [calls] values in
      calls.append("\(values[0])")
      return 1
    }
  }

  func configuration(
    _ trust: SchemaTrust, _ base: Configuration = .untrusted
  ) -> Configuration {
    var configuration = base
    let function = function(trust)
    configuration.prepareDatabase { db in db.add(function: function) }
    return configuration
  }
}

private let trustDetails = """
  a view, a trigger or a table of the schema uses it: it may use what was registered with `trust: .innocuous`, and where the schema is trusted also with `.normal`
  """

/// Makes a database file, and calls `body` with its path.
func withFile(
  _ sql: String, _ configuration: Configuration = Configuration(), _ body: (String) throws -> Void
) throws {
  try withTemporaryDirectory { directory in
    let path = directory + "/library.sqlite"
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 1024")
      try db.execute(sql: sql)
    }
    try queue.close()
    try body(path)
  }
}

/// The configuration for files of strangers, with less patience.
var impatient: Configuration {
  var configuration = Configuration.untrusted
  configuration.accessTimeLimit = .milliseconds(200)
  return configuration
}

extension Configuration {
  /// The same, for writes.
  var writing: Configuration {
    var configuration = self
    configuration.readonly = false
    return configuration
  }
}

@Suite("Files of strangers", .timeLimit(.minutes(10)))
struct UntrustedFileTests {

  @Test func `the connections of queues and pools have the settings`() throws {
    try withFile("PRAGMA journal_mode = WAL; CREATE TABLE book (title TEXT)") { path in
      let readers: [any DatabaseReader] = [
        try DatabaseQueue(path: path, configuration: .untrusted),
        try DatabasePool(path: path, configuration: .untrusted),
        try DatabasePool(path: path, configuration: Configuration.untrusted.writing),
      ]
      for reader in readers {
        try reader.read { db in
          for (pragma, value) in [("trusted_schema", 0), ("cell_size_check", 1), ("mmap_size", 0)] {
            // mmap_size has no row where SQLite was compiled without it.
            try #expect(Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 == value, "\(pragma)")
          }
          #expect(db.limit(.length) == 10_000_000)
          #expect(db.limit(.triggerDepth) == 10)
        }
        #expect(reader.configuration.accessTimeLimit == .seconds(10))
      }
    }
  }

  @Test func `limits can be changed, by the preparation of a connection`() throws {
    try withFile("CREATE TABLE cover (image); INSERT INTO cover VALUES (zeroblob(11000000))") {
      path in
      let error = databaseError {
        try DatabaseQueue(path: path, configuration: .untrusted).read { db in
          try Data.fetchOne(db, sql: "SELECT image FROM cover")
        }
      }
      #expect(error?.resultCode == .SQLITE_TOOBIG)
      var configuration = Configuration.untrusted
      configuration.prepareDatabase { db in db.setLimit(.length, to: 20_000_000) }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      #expect(
        try queue.read { db in try Data.fetchOne(db, sql: "SELECT image FROM cover")?.count }
          == 11_000_000)
    }
  }

  @Test func `the file is only read, unless the application asks for more`() throws {
    try withFile("CREATE TABLE book (title TEXT)") { path in
      let reading = try DatabaseQueue(path: path, configuration: .untrusted)
      let error = databaseError {
        try reading.write { db in try db.execute(sql: "INSERT INTO book VALUES ('The Trial')") }
      }
      #expect(error?.resultCode == .SQLITE_READONLY)
      let writing = try DatabaseQueue(path: path, configuration: Configuration.untrusted.writing)
      try writing.write { db in try db.execute(sql: "INSERT INTO book VALUES ('The Trial')") }
      #expect(try reading.read { db in try Table("book").fetchCount(db) } == 1)
    }
  }

  @Test func `statements can't damage the file, and load no extension`() throws {
    try withFile("CREATE TABLE book (title TEXT)") { path in
      let queue = try DatabaseQueue(path: path, configuration: Configuration.untrusted.writing)
      try queue.inDatabase { db in
        try db.execute(sql: "PRAGMA writable_schema = ON")
        #expect(
          errorText { try db.execute(sql: "UPDATE sqlite_master SET rootpage = 1") }
            == """
            SQLite error 1: table sqlite_master may not be modified \
            - while executing `UPDATE sqlite_master SET rootpage = 1`
            """)
        #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode = OFF") == "delete")
        #expect(
          databaseError { try db.execute(sql: "SELECT load_extension('spy')") }?.message
            == SQLiteBuild.extensionRefusal)
        #expect(
          databaseError { try db.execute(sql: "SELECT fts3_tokenizer('spy', zeroblob(8))") }?
            .resultCode
            == .SQLITE_ERROR)
      }
    }
  }

  // Functions.

  private static let selection = "SELECT spy('The Trial')"

  @Test func `statements of the application call any function`() throws {
    for trust in [SchemaTrust.innocuous, .normal, .directOnly] {
      let spy = Spy()
      let queue = try DatabaseQueue(configuration: spy.configuration(trust, Configuration()))
      #expect(try queue.read { db in try Int.fetchOne(db, sql: Self.selection) } == 1)
      try withFile("CREATE TABLE book (title)") { path in
        let queue = try DatabaseQueue(path: path, configuration: spy.configuration(trust))
        #expect(try queue.read { db in try Int.fetchOne(db, sql: Self.selection) } == 1)
      }
    }
  }

  @Test func `an aggregate has a trust too`() throws {
    struct Count: DatabaseAggregate {
      var count = 0
      mutating func step(_ dbValues: [DatabaseValue]) { count += 1 }
      func finalize() -> (any DatabaseValueConvertible)? { count }
    }
    let queue = try DatabaseQueue()
    try queue.write { db in
      for (name, trust) in [("free", SchemaTrust.innocuous), ("direct", .directOnly)] {
        db.add(
          function: DatabaseFunction(name, argumentCount: 0, trust: trust, aggregate: Count.self))
      }
      try db.execute(
        sql: """
          CREATE VIEW frees AS SELECT free() FROM (VALUES (1), (2));
          CREATE VIEW directs AS SELECT direct() FROM (VALUES (1), (2));
          PRAGMA trusted_schema = OFF;
          """)
      #expect(try Int.fetchOne(db, sql: "SELECT * FROM frees") == 2)
      #expect(
        databaseError { try Int.fetchOne(db, sql: "SELECT * FROM directs") }?.message
          == "unsafe use of direct()")
      #expect(try Int.fetchOne(db, sql: "SELECT direct()") == 1)
    }
  }

  @Test func `predefined string functions may be used by any schema, regular expressions not`()
    throws
  {
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(function: .regexp) }
    let views = """
      CREATE VIEW loud AS SELECT swiftUppercaseString('Hermes');
      CREATE VIEW found AS SELECT 'Hermes' REGEXP '(e+)+$';
      """
    try withFile(views, configuration) { path in
      var untrusted = Configuration.untrusted
      untrusted.prepareDatabase { db in db.add(function: .regexp) }
      try DatabaseQueue(path: path, configuration: untrusted).read { db in
        try #expect(String.fetchOne(db, sql: "SELECT * FROM loud") == "HERMES")
        #expect(
          errorText { try Row.fetchOne(db, sql: "SELECT * FROM found") } == """
            SQLite error 1: unsafe use of REGEXP()
            \(trustDetails)
            - while executing `SELECT * FROM found`
            """)
      }
    }
  }

  /// Each part of a schema that can call a function, and a statement that runs it.
  static let callers: [(schema: String, statement: String)] = [
    ("CREATE VIEW v AS SELECT spy(title) FROM book", "SELECT * FROM v"),
    (
      "CREATE TRIGGER t AFTER INSERT ON book BEGIN SELECT spy(new.title); END",
      "INSERT INTO book VALUES ('The Castle')"
    ),
    (
      "CREATE VIEW v AS SELECT 1 AS a; "
        + "CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN SELECT spy(new.a); END",
      "INSERT INTO v VALUES (2)"
    ),
    ("CREATE TABLE g (a, b AS (spy(a))); INSERT INTO g VALUES (1)", "SELECT b FROM g"),
    (
      "CREATE TABLE g (a, b AS (spy(a)) STORED); INSERT INTO g VALUES (1)",
      "INSERT INTO g VALUES (2)"
    ),
    ("CREATE TABLE g (a, b DEFAULT (spy(1)))", "INSERT INTO g (a) VALUES (2)"),
    ("CREATE TABLE g (a CHECK (spy(a)))", "INSERT INTO g VALUES (2)"),
    ("CREATE INDEX i ON book (spy(title))", "INSERT INTO book VALUES ('The Castle')"),
    ("CREATE INDEX i ON book (title) WHERE spy(title)", "INSERT INTO book VALUES ('The Castle')"),
  ]

  @Test(arguments: callers.indices)
  func `no part of the schema calls a function that is not innocuous`(index: Int) throws {
    let (schema, statement) = Self.callers[index]
    let book = "CREATE TABLE book (title); INSERT INTO book VALUES ('The Trial'); "
    let author = Spy()
    try withFile(book + schema, author.configuration(.normal, Configuration())) { path in
      for trust in [SchemaTrust.normal, .directOnly] {
        let spy = Spy()
        let error = databaseError {
          try DatabaseQueue(path: path, configuration: spy.configuration(trust).writing)
            .inDatabase { db in try db.execute(sql: statement) }
        }
        #expect(error?.message?.contains("unsafe use of spy()") == true, "\(error as Any)")
        #expect(spy.calls.elements == [])
        // Nor does the check at the opening, nor what the library asks the schema for.
        _ = try? DatabaseQueue(path: path, configuration: spy.configuration(trust)).read { db in
          _ = try? db.schemaDescription()
          for table in ["book", "g", "v"] { _ = try? db.columns(in: table) }
        }
        #expect(spy.calls.elements == [])
      }
      let spy = Spy()
      let queue = try DatabaseQueue(
        path: path, configuration: spy.configuration(.innocuous).writing)
      try queue.inDatabase { db in try db.execute(sql: statement) }
      #expect(spy.calls.elements != [])
    }
  }

  @Test func `a function for statements only is refused by a trusted schema too`() throws {
    let spy = Spy()
    try withFile(
      "CREATE VIEW v AS SELECT spy(1)", spy.configuration(.normal, Configuration())
    ) { path in
      let queue = try DatabaseQueue(
        path: path, configuration: spy.configuration(.directOnly, Configuration()))
      let error = databaseError {
        try queue.read { db in try Row.fetchAll(db, sql: "SELECT * FROM v") }
      }
      #expect(
        error?.description == """
          SQLite error 1: unsafe use of spy()
          \(trustDetails)
          - while executing `SELECT * FROM v`
          """)
    }
  }

  // Time and size.

  private static let endless = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

  @Test(arguments: [
    ("CREATE VIEW v AS \(endless) SELECT COUNT(*) AS count FROM n", "SELECT * FROM v"),
    ("CREATE VIEW v AS \(endless) SELECT zeroblob(9000000) AS b FROM n", "SELECT b FROM v"),
    (
      """
      CREATE TABLE book (title);
      CREATE VIEW n AS WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
      CREATE TRIGGER t AFTER INSERT ON book BEGIN UPDATE book SET title = (SELECT COUNT(*) FROM n);
      END
      """, "INSERT INTO book VALUES (1)"
    ),
  ])
  func `a view or a trigger without end is interrupted`(schema: String, statement: String) throws {
    try withFile(schema) { path in
      let queue = try DatabaseQueue(path: path, configuration: impatient.writing)
      let start = ContinuousClock.now
      for _ in 1...2 {
        let error = databaseError {
          try queue.write { db in
            let rows = try Row.fetchCursor(db, sql: statement)
            while try rows.next() != nil {}
          }
        }
        #expect(error?.resultCode == .SQLITE_INTERRUPT)
        #expect(error?.accessLimit == .deadline)
        #expect(error?.sql == statement)
      }
      #expect(.now - start < .seconds(600))
      // Closures that can't throw, too.
      let count = queue.inDatabase { db in (try? Row.fetchAll(db, sql: statement).count) ?? -1 }
      #expect(count == -1)
    }
  }

  @Test func `a file that takes long to check is not opened`() throws {
    try withFile(
      """
      CREATE TABLE book (title TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)
      INSERT INTO book SELECT 'The Trial ' || i FROM n;
      CREATE INDEX book_title ON book (title);
      """
    ) { path in
      var configuration = Configuration.untrusted
      configuration.accessTimeLimit = .milliseconds(1)
      for _ in 1...3 {
        let error = databaseError { try DatabaseQueue(path: path, configuration: configuration) }
        #expect(error?.accessLimit == .deadline)
        #expect(error?.description.contains(path) == true)
      }
    }
  }

  @Test func `an own time limit holds for the accesses of a trusted file`() async throws {
    var configuration = Configuration()
    configuration.accessTimeLimit = .milliseconds(200)
    // The limit holds for the opening, too, which a busy machine may not do in time.
    let databases: [any DatabaseWriter] = [
      try afterDeadlines { try DatabaseQueue(configuration: configuration) },
      try afterDeadlines { try DatabasePool.temporary(configuration: configuration) },
    ]
    for database in databases {
      for access in SyncAccess.allCases where access != .inDatabase {
        let error = databaseError {
          try access.run(on: database) { db in try Int.fetchOne(db, sql: endlessSQL) }
        }
        #expect(error?.accessLimit == .deadline, "\(access)")
      }
      for access in AsyncAccess.allCases {
        let error = await databaseErrorOf {
          try await access.run(on: database) { db in try Int.fetchOne(db, sql: endlessSQL) }
        }
        #expect(error?.accessLimit == .deadline, "\(access)")
      }
      let error = databaseError {
        try database.write(deadline: after(3600)) { db in try Int.fetchOne(db, sql: endlessSQL) }
      }
      #expect(error?.accessLimit == .deadline)
      #expect(try await database.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
    }
  }

  @Test func `values, expressions and selections have limits`() throws {
    let deep = Array(repeating: "1", count: 150).joined(separator: " + ")
    let compound = Array(repeating: "SELECT 1", count: 60).joined(separator: " UNION ALL ")
    let schema = """
      CREATE VIEW bomb AS SELECT zeroblob(900000000);
      CREATE VIEW list AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
      SELECT group_concat(hex(zeroblob(9000))) FROM n;
      """
    for (schema, name, message) in [
      (schema, "bomb", "string or blob too big"), (schema, "list", "string or blob too big"),
      ("CREATE VIEW deep AS SELECT \(deep)", "deep", "maximum depth 100"),
      ("CREATE VIEW many AS \(compound)", "many", "too many terms in compound SELECT"),
    ] {
      try withFile(schema) { path in
        let error = databaseError {
          try DatabaseQueue(path: path, configuration: .untrusted).read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM \(name)")
          }
        }
        #expect(error?.message?.contains(message) == true, "\(error as Any)")
      }
    }
  }
}

/// Tries again while the deadline of an access passes.
private func afterDeadlines<T>(_ body: () throws -> T) throws -> T {
  for _ in 1...50 {
    do { return try body() } catch let error as DatabaseError where error.accessLimit == .deadline {
    }
  }
  return try body()
}

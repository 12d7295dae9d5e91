import Dispatch
import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Configuration")
struct ConfigurationTests {
  @Test func `the defaults are those of the documentation`() {
    let configuration = Configuration()
    #expect(configuration.foreignKeysEnabled)
    #expect(!configuration.readonly)
    #expect(configuration.label == nil)
    #expect(!configuration.acceptsDoubleQuotedStringLiterals)
    #expect(!configuration.observesSuspensionNotifications)
    #expect(!configuration.publicStatementArguments)
    #expect(configuration.transactionClock is DefaultTransactionClock)
    #expect(!configuration.allowsUnsafeTransactions)
    #expect(configuration.journalMode == .default)
    #expect({ if case .immediateError = configuration.busyMode { true } else { false } }())
    #expect(configuration.maximumReaderCount == 5)
    #expect(configuration.qos == .userInitiated)
    #expect(configuration.targetQueue == nil)
    #expect(configuration.writeTargetQueue == nil)
    #expect(!configuration.persistentReadOnlyConnections)
    #expect(configuration.schemaSource == nil)
    #expect(configuration.readQoS == .userInitiated)
    #expect(configuration.writeQoS == .userInitiated)
  }

  @Test func `the quality of service is the one of the target queues`() {
    var configuration = Configuration()
    configuration.qos = .background
    #expect(configuration.readQoS == .background)
    #expect(configuration.writeQoS == .background)
    configuration.targetQueue = DispatchQueue(label: "target", qos: .utility)
    #expect(configuration.readQoS == .utility)
    #expect(configuration.writeQoS == .utility)
    configuration.writeTargetQueue = DispatchQueue(label: "write", qos: .userInitiated)
    #expect(configuration.readQoS == .utility)
    #expect(configuration.writeQoS == .userInitiated)
  }

  @Test func `accesses run on a queue that targets the queue of the configuration`() throws {
    let key = DispatchSpecificKey<String>()
    var configuration = Configuration()
    let target = DispatchQueue(label: "target")
    target.setSpecific(key: key, value: "target")
    configuration.targetQueue = target
    let queue = try DatabaseQueue(configuration: configuration)
    #expect(queue.inDatabase { _ in DispatchQueue.getSpecific(key: key) } == "target")
  }

  @Test(arguments: [nil, "library"])
  func `the label is the description of the connection`(label: String?) throws {
    var configuration = Configuration()
    configuration.label = label
    let queue = try DatabaseQueue(configuration: configuration)
    #expect(queue.configuration.label == label)
    try queue.inDatabase { db throws -> Void in
      #expect(db.description == label ?? "Quarry.DatabaseQueue")
      #expect(db.debugDescription == "<Database: \(label ?? "Quarry.DatabaseQueue")>")
      #expect(db.configuration.label == label)
    }
  }

  @Test(arguments: [true, false])
  func `foreign keys are enforced as the configuration says`(isEnabled: Bool) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = isEnabled
    let queue = try DatabaseQueue(configuration: configuration)
    let error = databaseError {
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parentId INTEGER REFERENCES parent(id));
            INSERT INTO child VALUES (1);
            """)
      }
    }
    #expect(error?.extendedResultCode == (isEnabled ? .SQLITE_CONSTRAINT_FOREIGNKEY : nil))
    #expect(
      queue.inDatabase { try? Bool.fetchOne($0, sql: "PRAGMA foreign_keys") } == isEnabled)
  }

  @Test func `double quotes are for identifiers, unless the configuration says otherwise`() throws {
    let sql = #"SELECT "text""#
    let error = databaseError {
      try DatabaseQueue().read { db in try String.fetchOne(db, sql: sql) }
    }
    #expect(error?.message == SQLiteBuild.noSuchColumn("text"))
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    let queue = try DatabaseQueue(configuration: configuration)
    #expect(try queue.read { db in try String.fetchOne(db, sql: sql) } == "text")
  }

  @Test func `connections are prepared in order, before the format of the file is checked`() throws
  {
    let recorder = SQLRecorder()
    var configuration = recorder.recording()
    configuration.prepareDatabase { db in
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      try db.execute(sql: "PRAGMA cache_size = 100")
    }
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = 200") }
    let queue = try DatabaseQueue(configuration: configuration)
    #expect(
      recorder.take() == [
        "PRAGMA foreign_keys", "PRAGMA cache_size = 100", "PRAGMA cache_size = 200",
        "SELECT * FROM sqlite_master LIMIT 1",
      ])
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA cache_size") } == 200)
  }

  @Test func `an error of the preparation is thrown by the initialiser`() throws {
    struct Failure: Error {}
    let log = Log<Int>()
    var configuration = Configuration()
    configuration.prepareDatabase { _ in log.append(1) }
    configuration.prepareDatabase { _ in throw Failure() }
    configuration.prepareDatabase { _ in log.append(2) }
    #expect(throws: Failure.self) { try DatabaseQueue(configuration: configuration) }
    #expect(log.elements == [1])
  }

  @Test func `an SQL mistake in the preparation is thrown by the initialiser`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "SELECT * FROM missing") }
    let error = databaseError { try DatabaseQueue(configuration: configuration) }
    #expect(error?.message == "no such table: missing")
  }

  @Test func `arguments are hidden in errors, unless the configuration makes them public`() throws {
    for isPublic in [false, true] {
      var configuration = Configuration()
      configuration.publicStatementArguments = isPublic
      let queue = try DatabaseQueue(configuration: configuration)
      let error = databaseError {
        try queue.write { db in
          try db.execute(sql: "CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES ('x')")
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["x"])
        }
      }
      let text = """
        SQLite error 19: UNIQUE constraint failed: t.a - while executing `INSERT INTO t VALUES (?)`
        """
      #expect(error?.description == (isPublic ? text + #" with arguments ["x"]"# : text))
      #expect(error?.expandedDescription == text + #" with arguments ["x"]"#)
    }
  }
}

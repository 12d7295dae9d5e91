import Dispatch
import Foundation
import Quarry

func configuration() {
  var configuration = Configuration()
  configuration.foreignKeysEnabled = true
  configuration.readonly = false
  configuration.label = "players"
  configuration.acceptsDoubleQuotedStringLiterals = false
  configuration.observesSuspensionNotifications = false
  configuration.publicStatementArguments = true
  configuration.transactionClock = .default
  configuration.transactionClock = .custom { _ in Date() }
  configuration.prepareDatabase { db in
    db.trace { print($0) }
  }
  configuration.prepareDatabase { db in
    try db.execute(sql: "PRAGMA cache_size = 100")
  }
  configuration.allowsUnsafeTransactions = false
  configuration.journalMode = .default
  configuration.journalMode = .wal
  configuration.busyMode = .immediateError
  configuration.busyMode = .timeout(0.5)
  configuration.busyMode = .callback { count in count < 10 }
  configuration.maximumReaderCount = 2
  configuration.qos = .utility
  let _: DispatchQoS = configuration.readQoS
  let _: DispatchQoS = configuration.writeQoS
  configuration.targetQueue = DispatchQueue(label: "target")
  configuration.writeTargetQueue = nil
  configuration.persistentReadOnlyConnections = false
  configuration.schemaSource = nil
  configuration.schemaSource = ViewKeys().then(NoKeys())
}

func journalModes(_ mode: Configuration.JournalModeConfiguration) -> Bool {
  switch mode {
  case .default: Set([mode]).contains(.wal)
  case .wal: mode == .wal
  }
}

/// The default answer is nil.
struct NoKeys: DatabaseSchemaSource {}

struct ViewKeys: DatabaseSchemaSource {
  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    try NoKeys().columnsForPrimaryKey(db, inView: view) ?? ["id"]
  }
}

func schemaSource() {
  let _: any DatabaseSchemaSource = ViewKeys()
  let source = NoKeys().then(ViewKeys())
  let _: any DatabaseSchemaSource = source.then(NoKeys())
}

func transactionClocks(_ db: Database) throws {
  let _: DefaultTransactionClock = .default
  let _: Date = try DefaultTransactionClock.default.now(db)
  let clock = CustomTransactionClock { db in try Date.fetchOne(db, sql: "SELECT now()") ?? Date() }
  let _: Date = try clock.now(db)
  let clocks: [any TransactionClock] = [clock, FixedClock(), .custom { _ in Date() }]
  _ = try clocks.map { try $0.now(db) }
}

struct FixedClock: TransactionClock {
  func now(_ db: Database) throws -> Date { Date(timeIntervalSince1970: 0) }
}

func backupProgress(_ progress: DatabaseBackupProgress) {
  let _: Int = progress.remainingPageCount
  let _: Int = progress.totalPageCount
  let _: Int = progress.completedPageCount
  let _: Bool = progress.isCompleted
}

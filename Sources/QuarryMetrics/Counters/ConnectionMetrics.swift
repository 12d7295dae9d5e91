import CSQLite
import Quarry
import QuarryPlans

/// Counts what one connection does in an access, without a lock, and adds it to the recorder at its
/// end.
@safe final class ConnectionMetrics: AccessObserver {
  private let recorder: MetricsRecorder
  private var statements = Metrics.Statements()
  /// The statements that run, and since when.
  private var running: [(statement: SQLiteStatement, begin: ContinuousClock.Instant)] =
    unsafe []
  private var slow: [(sql: String, duration: Duration)] = []
  /// Whether the statements of the moment are those that explain others.
  private var isExplaining = false

  init(recorder: MetricsRecorder) { self.recorder = recorder }

  func statementWillBegin(_ statement: SQLiteStatement) { unsafe running.append((statement, .now)) }

  func statementDidEnd(_ statement: SQLiteStatement) {
    // The last one that began ends first, but for cursors.
    guard let index = unsafe running.lastIndex(where: { unsafe $0.statement == statement })
    else { return }
    let duration = unsafe running.remove(at: index).begin.duration(to: .now)
    guard !isExplaining else { return }
    statements.running.record(duration)
    statements.scannedRowCount += unsafe take(SQLITE_STMTSTATUS_FULLSCAN_STEP, of: statement)
    statements.sortCount += unsafe take(SQLITE_STMTSTATUS_SORT, of: statement)
    statements.automaticIndexRowCount += unsafe take(SQLITE_STMTSTATUS_AUTOINDEX, of: statement)
    statements.instructionCount += unsafe take(SQLITE_STMTSTATUS_VM_STEP, of: statement)
    if recorder.isSlow(duration), let text = unsafe sqlite3_sql(statement) {
      slow.append((unsafe String(cString: text), duration))
    }
  }

  /// A counter of the statement, which begins again at zero.
  private func take(_ counter: CInt, of statement: SQLiteStatement) -> Int {
    Int(counter: unsafe sqlite3_stmt_status(statement, counter, 1))
  }

  func accessDidEnd(_ access: FinishedAccess, _ db: Database) {
    statements.compiledCount = db.statementCounts.compilations
    statements.plannedCount = db.statementCounts.plans
    db.statementCounts = StatementCounts()
    recorder.add(access, statements, pages(of: db))
    statements = Metrics.Statements()
    reportSlow(db)
  }

  private func reportSlow(_ db: Database) {
    guard !slow.isEmpty else { return }
    let slow = slow
    self.slow = []
    isExplaining = true
    let plans = slow.map { $0.sql.hasPlan ? try? db.explain(sql: $0.sql) : nil }
    isExplaining = false
    db.statementCounts = StatementCounts()
    for ((sql, duration), plan) in zip(slow, plans) {
      recorder.reportSlow(SlowStatement(sql: sql, duration: duration, plan: plan))
    }
  }

  private func pages(of db: Database) -> Metrics.PageCache {
    var pages = Metrics.PageCache()
    guard let connection = db.sqliteConnection else { return pages }
    func take(_ counter: CInt) -> Int {
      var (current, highest): (CInt, CInt) = (0, 0)
      _ = unsafe sqlite3_db_status(connection, counter, &current, &highest, 1)
      return Int(counter: current)
    }
    pages.hits = take(SQLITE_DBSTATUS_CACHE_HIT)
    pages.misses = take(SQLITE_DBSTATUS_CACHE_MISS)
    pages.writes = take(SQLITE_DBSTATUS_CACHE_WRITE)
    pages.spills = take(SQLITE_DBSTATUS_CACHE_SPILL)
    return pages
  }
}

extension Metrics.Accesses {
  mutating func add(_ access: FinishedAccess) {
    if access.hasFailed { failureCount += 1 }
    waiting.record(access.waited)
    running.record(access.duration)
  }
}

extension Metrics.Statements {
  mutating func add(_ other: Self) {
    running.add(other.running)
    for path in Self.counters { self[keyPath: path] += other[keyPath: path] }
  }
}

extension Metrics.PageCache {
  mutating func add(_ other: Self) {
    for path in Self.counters { self[keyPath: path] += other[keyPath: path] }
  }
}

extension Int {
  /// SQLite counts up to 2³², and returns integers with a sign.
  init(counter: CInt) { self.init(UInt32(bitPattern: counter)) }
}

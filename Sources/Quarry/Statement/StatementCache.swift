/// The prepared statements of a connection, by SQL text: the ones used last are kept.
///
/// A statement is checked out, used, and released. While it is out, the same text gets another statement, which is
/// not kept.
final class StatementCache {
  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0

  private final class Entry {
    let statement: Statement
    var lastUse: UInt64
    init(statement: Statement, lastUse: UInt64) {
      self.statement = statement
      self.lastUse = lastUse
    }
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The statement for an SQL text, unless there is none, or it is in use.
  func idleStatement(sql: String) -> Statement? {
    guard let entry = entries[sql], !entry.statement.isCheckedOut else { return nil }
    clock += 1
    entry.lastUse = clock
    return entry.statement
  }

  /// Keeps a statement, unless another one with the same text is kept.
  ///
  /// Returns whether it is kept.
  func insert(_ statement: Statement, sql: String) -> Bool {
    guard entries[sql] == nil else { return false }
    if entries.count >= capacity { evict() }
    clock += 1
    entries[sql] = Entry(statement: statement, lastUse: clock)
    return true
  }

  func remove(sql: String) {
    entries[sql] = nil
  }

  func removeAll() {
    for entry in entries.values { entry.statement.isCached = false }
    entries.removeAll()
  }

  /// Forgets the quarter of the statements that was used longest ago: rarely, and then for good.
  private func evict() {
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }
    for (sql, entry) in oldest.prefix(max(1, capacity / 4)) {
      entry.statement.isCached = false
      entries[sql] = nil
    }
  }
}

/// The prepared statements of a connection, by SQL text: the ones used last are kept.
///
/// A statement is in use as long as somebody else than the cache holds it. Meanwhile the same text
/// gets another statement, which is not kept.
final class StatementCache {
  private let capacity: Int
  private var entries: [BinaryText: Entry] = [:]
  private var clock: UInt64 = 0

  /// A place in the cache: those who use the same statement again and again need not look it up.
  final class Entry {
    /// Nil once the cache has forgotten the statement.
    fileprivate var statement: Statement?
    fileprivate var lastUse: UInt64

    fileprivate init(statement: Statement, lastUse: UInt64) {
      self.statement = statement
      self.lastUse = lastUse
    }
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The statement for an SQL text, whoever uses it.
  func statement(sql: String) -> Statement? {
    guard let entry = entries[BinaryText(sql)] else { return nil }
    clock += 1
    entry.lastUse = clock
    return entry.statement
  }

  /// The statement for an SQL text, unless there is none, or somebody holds it.
  func idleStatement(sql: String) -> Statement? {
    entries[BinaryText(sql)].flatMap(idleStatement(of:))
  }

  /// The statement of an entry, unless it is forgotten, or somebody holds it.
  @inline(__always) func idleStatement(of entry: Entry) -> Statement? {
    guard isKnownUniquelyReferenced(&entry.statement) else { return nil }
    clock += 1
    entry.lastUse = clock
    return entry.statement
  }

  /// The place of an SQL text, if its statement is kept.
  func entry(sql: String) -> Entry? { entries[BinaryText(sql)] }

  /// Keeps a statement, unless another one with the same text is kept.
  func insert(_ statement: Statement, sql: String) {
    let key = BinaryText(sql)
    guard entries[key] == nil else { return }
    if entries.count >= capacity { evict() }
    clock += 1
    entries[key] = Entry(statement: statement, lastUse: clock)
  }

  /// Forgets a statement, if it is kept.
  func remove(_ statement: Statement) {
    guard let kept = entries.first(where: { $0.value.statement === statement }) else { return }
    remove(kept.key)
  }

  func removeAll() {
    for entry in entries.values { entry.statement = nil }
    entries.removeAll()
  }

  private func remove(_ sql: BinaryText) {
    entries.removeValue(forKey: sql)?.statement = nil
  }

  /// Evicts the least recently used quarter of the statements at once, so that eviction is rare.
  private func evict() {
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }
    for (sql, _) in oldest.prefix(max(1, capacity / 4)) { remove(sql) }
  }
}

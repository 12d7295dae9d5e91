import Quarry

/// An observer that writes down what it is notified of.
final class EventLog: TransactionObserver {
  private var lines: [String] = []
  let name: String
  var asks = false
  var observesAllDatabaseChanges = false
  var wants: (DatabaseEventKind) -> Bool = { _ in true }
  var onChange: () -> Void = {}
  var onWillCommit: () throws -> Void = {}
  var onCommit: (Database) -> Void = { _ in }
  var onRollback: (Database) -> Void = { _ in }
  var shared: EventLog?

  /// - parameter name: comes before each line, if it is not empty.
  init(_ name: String = "", shared: EventLog? = nil) {
    self.name = name.isEmpty ? "" : name + " "
    self.shared = shared
  }

  /// The lines since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  func write(_ line: String) {
    (shared ?? self).lines.append(name + line)
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    if asks { write("\(eventKind.text)?") }
    return wants(eventKind)
  }

  func databaseDidChange() {
    write("change")
    onChange()
  }

  func databaseDidChange(with event: DatabaseEvent) {
    write("\(event.kind) \(event.tableName) \(event.rowID)")
    onChange()
  }

  func databaseWillCommit() throws {
    write("willCommit")
    try onWillCommit()
  }

  func databaseDidCommit(_ db: Database) {
    write("didCommit")
    onCommit(db)
  }

  func databaseDidRollback(_ db: Database) {
    write("didRollback")
    onRollback(db)
  }
}

extension DatabaseEventKind {
  var text: String {
    switch self {
    case .insert(let table): "insert(\(table))"
    case .delete(let table): "delete(\(table))"
    case .update(let table, let columns): "update(\(table), \(columns.sorted()))"
    }
  }
}

extension Database {
  /// Executes statements, each by itself, and returns what an observer was notified of.
  func log(
    _ statements: String..., of log: EventLog = EventLog(),
    extent: TransactionObservationExtent = .observerLifetime
  ) throws -> [String] {
    add(transactionObserver: log, extent: extent)
    defer { remove(transactionObserver: log) }
    for sql in statements { try execute(sql: sql) }
    return log.take()
  }
}

struct Veto: Error, Equatable {}

import Quarry

/// Notes the rows that an observer of transactions is notified of.
final class EventLog: TransactionObserver {
  var events: [String] = []
  var commits = 0
  let tables: Set<String>?

  init(tables: Set<String>? = nil) { self.tables = tables }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    tables?.contains(kind.tableName) ?? true
  }

  func databaseDidChange(with event: DatabaseEvent) {
    events.append("\(event.kind) \(event.tableName) \(event.rowID)")
  }

  func databaseDidCommit(_ db: Database) { commits += 1 }
  func databaseDidRollback(_ db: Database) {}
}

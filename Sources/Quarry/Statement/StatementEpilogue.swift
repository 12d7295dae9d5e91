/// What the connection has to do once a statement has ended: rarely anything.
///
/// A statement may outlive its connection, but not this.
final class StatementEpilogue {
  weak var database: Database?
  var isNeeded = false

  func run() {
    database?.statementDidEnd()
  }
}

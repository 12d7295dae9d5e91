/// What the connection has to do once a statement has ended: rarely anything.
///
/// A statement may outlive its connection, but not this.
final class StatementEpilogue {
  /// Nil once the connection is gone. Not weak: each reference to the connection would be slower to count.
  unowned(unsafe) var database: Database?
  var isNeeded = false

  func run() {
    database?.statementDidEnd()
  }
}

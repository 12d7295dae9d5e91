import Quarry

/// Executes the statements of one connection on the node that leads a cluster.
///
/// The connection's own SQLite has the schema of the database, and no rows: the *shadow*. A
/// statement takes this way:
///
/// 1. The shadow compiles it: columns, parameters, effects, regions (`replacement`). What nodes
///    can't execute, or answer wrongly, is refused here (`StatementRoute`, `StatementShape`).
/// 2. It is exchanged for a statement on a virtual table of the shadow, which has the same
///    parameters and columns: `RemoteTables`. What changes the schema stays, and is executed on
///    both sides.
/// 3. Before its first step, the engine sees to the connection and the transaction at the node, and
///    to the schema: another client may have changed it (`willExecute`).
/// 4. The virtual table sends the request with the arguments, and gives the rows (`RemoteRows`).
/// 5. The shadow commits, which its commit hook asks for: the engine commits at the node first,
///    when all observers have agreed.
///
/// The shadow is in a transaction when the node is, and only then: whoever loses it takes it from
/// the other side, too.
final class ClusterEngine: ConnectionEngine {
  let connection: LeaderConnection
  let options: ClusterOptions
  let statements = RemoteStatements()
  unowned var db: Database!

  /// The transaction at the node.
  var transaction: RemoteTransaction?
  /// The schema that the shadow has.
  var schema = ShadowVersion()
  var isCopyingSchema = false
  /// Whether the connection was prepared, and must be so again after a loss.
  var isPrepared = false
  /// The pragmas that have changed the connection at the node since it was prepared, by their
  /// names. The next connection executes them, too.
  var pragmas: [String: String] = [:]
  /// Those of the preparation.
  var preparedPragmas: [String: String] = [:]
  /// The arguments of the statement that is about to send its request.
  var arguments: [DatabaseValue] = []
  /// The error of the statement that runs.
  var failure: RemoteFailure?
  var lastChangesCount = 0
  var lastInsertedRowID: Int64 = 0
  /// The changes on connections that were lost, and all those that are known.
  var (formerChangesCount, totalChangesCount) = (0, 0)

  init(_ nodes: KnownNodes, _ database: String, _ options: ClusterOptions) {
    self.options = options
    connection = LeaderConnection(nodes, database, options)
  }

  func open(_ db: Database) throws {
    self.db = db
    try unsafe RemoteTables.add(to: db.requireConnection(), self)
    try repeating(in: db) { try db.prepareAgain() }
    isPrepared = true
  }

  func close() {
    connection.close()
    transaction = nil
  }

  func interrupt() { connection.interrupt() }

  func storedTypeName(_ name: String) -> String {
    StatementShape.hazards[name.uppercased()] ?? name
  }

  func refusal(of feature: String) -> any Error {
    ClusterError(
      .unsupported,
      "\(feature) can't be had on a cluster, whose nodes execute all statements: see the list in "
        + "the manual of DatabaseCluster")
  }

  func sql(of statement: SQLiteStatement) -> String? {
    if isCopyingSchema { return "" }
    guard let id = unsafe RemoteTables.statementID(of: statement) else { return nil }
    return id == 0 ? "" : statements[id]?.sql
  }

  var changesCount: (last: Int, total: Int) {
    if let total = try? connection.rows("SELECT total_changes()").first?.first {
      totalChangesCount = formerChangesCount + (Int.fromDatabaseValue(total) ?? 0)
    }
    return (lastChangesCount, totalChangesCount)
  }
}

/// A transaction at a node.
struct RemoteTransaction {
  /// Whether a savepoint has begun it, whose release commits.
  var isSavepoint = false
  private(set) var savepoints: [String] = []

  mutating func begin(_ savepoint: String) { savepoints.append(savepoint.lowercased()) }

  /// Forgets a savepoint and those inside. Returns false if there is none with the name.
  mutating func release(_ savepoint: String) -> Bool {
    guard let index = index(of: savepoint) else { return false }
    savepoints.removeSubrange(index...)
    return true
  }

  /// Forgets the savepoints inside. Returns false if there is none with the name.
  mutating func rollBack(to savepoint: String) -> Bool {
    guard let index = index(of: savepoint) else { return false }
    savepoints.removeSubrange((index + 1)...)
    return true
  }

  /// Whether the release of a savepoint commits.
  func isCommitted(byReleaseOf savepoint: String) -> Bool {
    isSavepoint && index(of: savepoint) == 0
  }

  private func index(of savepoint: String) -> Int? {
    savepoints.lastIndex(of: savepoint.lowercased())
  }
}

/// Why a statement has failed.
enum RemoteFailure {
  /// The node reports an error of SQL: the shadow reports the same one.
  case sql(NodeFailure)
  case other(any Error)
}

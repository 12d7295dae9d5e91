import Quarry

/// A statement that nodes execute.
final class RemoteStatement {
  /// The number by which the statement that is stepped in its place refers to it.
  let id: Int
  let sql: String
  let columnNames: [String]
  /// The statement that the node executes.
  let nodeText: (sql: String, columnNames: [String])
  let isReadonly: Bool
  /// The version of the schema for which it was compiled.
  var schemaGeneration: Int
  /// The statement at the node, with the number of the connection that has prepared it.
  private var prepared: (connection: Int, statement: NodeStatement)?
  private let connection: LeaderConnection
  private let registry: RemoteStatements

  init(
    _ id: Int, _ statement: CompiledStatement, columnNames: [String],
    nodeText: (sql: String, columnNames: [String]), schemaGeneration: Int,
    _ connection: LeaderConnection, _ registry: RemoteStatements
  ) {
    self.id = id
    sql = statement.sql
    self.columnNames = columnNames
    self.nodeText = nodeText
    isReadonly = statement.effects.isReadonly
    self.schemaGeneration = schemaGeneration
    self.connection = connection
    self.registry = registry
  }

  deinit {
    registry.remove(id)
    if let prepared { connection.released.withLock { $0.append(prepared) } }
  }

  /// The statement at the node, which prepares it at the first use.
  func node() throws -> NodeStatement {
    if let prepared, prepared.connection == connection.number { return prepared.statement }
    let statement = try connection.prepare(nodeText.sql)
    prepared = (connection.number, statement)
    return statement
  }
}

/// The remote statements of a connection. Any thread may release one.
final class RemoteStatements: Sendable {
  private struct Entry: @unchecked Sendable {
    weak var statement: RemoteStatement?
  }

  private let state = Locked((lastID: 0, entries: [Int: Entry]()))

  func makeID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  func add(_ statement: RemoteStatement) {
    state.withLock { $0.entries[statement.id] = Entry(statement: statement) }
  }

  subscript(id: Int) -> RemoteStatement? { state.withLock { $0.entries[id] }?.statement }

  fileprivate func remove(_ id: Int) { state.withLock { _ = $0.entries.removeValue(forKey: id) } }
}

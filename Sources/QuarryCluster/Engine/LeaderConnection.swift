import Foundation
import Quarry

/// The nodes of a cluster that its connections know.
final class KnownNodes: Sendable {
  private let nodes: Locked<[NodeAddress]>
  private let first: [NodeAddress]

  init(_ nodes: [NodeAddress]) {
    first = nodes
    self.nodes = Locked(nodes)
  }

  /// All nodes, the one that has led last first.
  var all: [NodeAddress] { nodes.withLock { $0 } }

  /// Notes the members of the cluster, of which the first one leads. Those that were given stay,
  /// since a cluster may be replaced.
  func note(_ members: [NodeAddress]) {
    nodes.withLock { nodes in nodes = members + first.filter { !members.contains($0) } }
  }
}

/// The connection to the node that leads a cluster, and the database that it has opened there.
///
/// One thread at a time uses it. ``interrupt()`` is called from any thread.
final class LeaderConnection {
  private let nodes: KnownNodes
  private let database: String
  private let options: ClusterOptions
  private var session: NodeSession?
  private var databaseID: UInt32 = 0
  /// How often a connection was opened: what a former one has prepared is gone.
  private(set) var number = 0
  private var statements: [String: NodeStatement] = [:]
  private let interruption = Locked<(@Sendable () -> Void)?>(nil)
  private let wasInterrupted = Locked(false)
  /// The statements that are not needed any more. Any thread may release one.
  let released = Locked<[(connection: Int, statement: NodeStatement)]>([])

  init(_ nodes: KnownNodes, _ database: String, _ options: ClusterOptions) {
    (self.nodes, self.database, self.options) = (nodes, database, options)
  }

  /// Whether requests can be sent. A request that was answered may have been interrupted
  /// nevertheless.
  var isOpen: Bool { session?.isUsable == true && !wasInterrupted.withLock { $0 } }

  /// Opens a connection to the leader.
  func open(until deadline: ContinuousClock.Instant) throws {
    close()
    wasInterrupted.withLock { $0 = false }
    let session = try LeaderSearch(nodes: nodes.all, timeout: options.answerTimeout)
      .session(until: deadline)
    session.timeout = options.answerTimeout
    do {
      try using(session) { session in
        databaseID = try session.open(database)
        let members = try session.members().map(\.address)
        nodes.note([session.address] + members.filter { $0 != session.address })
      }
    } catch let failure as NodeFailure {
      throw ClusterError(
        .refused, "the database \(database) can't be opened: \(failure.message)",
        node: session.address, nodeCode: failure.code)
    }
    self.session = session
    number += 1
  }

  func close() {
    interruption.withLock { $0 = nil }
    session = nil
    statements = [:]
    released.withLock { $0 = [] }
  }

  /// Ends the request that runs, and the connection.
  func interrupt() {
    interruption.withLock { interrupt in
      guard let interrupt else { return }
      wasInterrupted.withLock { $0 = true }
      interrupt()
    }
  }

  /// Sends requests.
  ///
  /// - parameters:
  ///   - canBeInterrupted: False for a commit, whose outcome nobody would know.
  ///   - isReading: Whether the requests only read. No client has these wait.
  ///   - body: The requests.
  func use<T>(
    canBeInterrupted: Bool = true, isReading: Bool = false, _ body: (NodeSession) throws -> T
  ) throws -> T {
    try request(canBeInterrupted: canBeInterrupted) { session in
      try finalizeReleased(session)
      return try waitingForNode(isReading: isReading) { try body(session) }
    }
  }

  /// Sends a request again while the node refuses it: for a moment when it begins to lead, and
  /// while it moves its log into the database.
  private func waitingForNode<T>(isReading: Bool, _ body: () throws -> T) throws -> T {
    for _ in 0..<1_000 {
      do {
        return try body()
      } catch let failure as NodeFailure
        where failure.isCheckpoint || isReading && failure.isBusy
      {
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    return try body()
  }

  /// Receives what was asked for.
  func receive<T>(_ body: (NodeSession) throws -> T) throws -> T {
    try request(canBeInterrupted: true, body)
  }

  private func request<T>(canBeInterrupted: Bool, _ body: (NodeSession) throws -> T) throws -> T {
    guard let session, isOpen else {
      throw ClusterError(.connectionLost, "the connection to the leader was lost")
    }
    if canBeInterrupted { interruption.withLock { $0 = session.interruption } }
    defer { interruption.withLock { $0 = nil } }
    return try using(session, body)
  }

  private func using<T>(_ session: NodeSession, _ body: (NodeSession) throws -> T) throws -> T {
    do {
      return try body(session)
    } catch let error as ClusterError {
      throw session.isUsable ? error : lost(error)
    } catch let failure as NodeFailure where failure.meansLoss {
      self.session = nil
      throw ClusterError(
        .connectionLost, "the node does not lead any more: \(failure.message)",
        node: session.address, nodeCode: failure.code)
    }
  }

  /// The error of a request with which the connection was lost.
  private func lost(_ reason: ClusterError) -> any Error {
    if wasInterrupted.withLock({ $0 }) { return Interruption() }
    if reason.code == .timeout || reason.code == .malformedAnswer { return reason }
    return ClusterError(.connectionLost, reason.message, node: reason.node)
  }

  private func finalizeReleased(_ session: NodeSession) throws {
    let released = released.withLock { released in
      defer { released = [] }
      return released
    }
    for (connection, statement) in released where connection == number {
      try session.order(.finalize(statement))
    }
  }

  /// A request was ended by ``LeaderConnection/interrupt()``.
  struct Interruption: Error {}
}

extension LeaderConnection {
  /// Prepares the only statement of a text.
  func prepare(_ sql: String) throws -> NodeStatement {
    try use(isReading: true) { try $0.prepare(sql, in: databaseID).statement }
  }

  /// A statement of the library, which is prepared once.
  private func known(_ sql: String, _ session: NodeSession) throws -> NodeStatement {
    if let statement = statements[sql] { return statement }
    let statement = try session.prepare(sql, in: databaseID).statement
    statements[sql] = statement
    return statement
  }

  /// Executes a statement of the library that has no columns.
  func execute(_ sql: String, canBeInterrupted: Bool = true) throws {
    try use(canBeInterrupted: canBeInterrupted) { session in
      _ = try session.execute(known(sql, session), [])
    }
  }

  /// Executes a statement once.
  func executeOnce(_ sql: String) throws {
    try use { session in
      let statement = try session.prepare(sql, in: databaseID).statement
      defer { released.withLock { $0.append((number, statement)) } }
      _ = try session.execute(statement, [])
    }
  }

  /// The rows of a statement of the library.
  func rows(_ sql: String) throws -> [[DatabaseValue]] {
    try use(isReading: true) { session in try session.query(known(sql, session), []).all() }
  }

  /// Begins a transaction, and asks for the version of the schema that it sees: two requests, which
  /// the node receives at once.
  func begin(_ sql: String) throws -> Int64 {
    try use { session in
      let begin = WireRequest.execute(try known(sql, session), [])
      let version = WireRequest.query(try known("PRAGMA schema_version", session), [])
      try session.send(begin)
      try session.send(version)
      let beginning = Result { _ = try session.receive(.result, of: begin) }
      let answer = Result { try session.receive(.rows, of: version) }
      try beginning.get()
      if case .failure(let failure as NodeFailure) = answer {
        // The transaction has begun: another connection begins anew.
        self.session = nil
        throw ClusterError(.connectionLost, failure.message, node: session.address)
      }
      let rows = try NodeResult(session, answer.get(), of: version).all()
      return rows.first?.first.flatMap(Int64.fromDatabaseValue) ?? 0
    }
  }
}

extension NodeFailure {
  /// Whether the node can't go on with the connection. One that loses the leadership interrupts the
  /// statements that run, and closes its databases.
  fileprivate var meansLoss: Bool {
    isLeadershipFailure || code == Self.interrupted || code == Self.noDatabase
  }

  /// Whether the same request succeeds a moment later.
  fileprivate var isCheckpoint: Bool { isBusy && message.contains("checkpoint") }

  private static let interrupted = 9
  private static let noDatabase = 12
}

extension NodeResult {
  /// Reads all rows, whose columns have no declared types.
  func all() throws -> [[DatabaseValue]] {
    var rows: [[DatabaseValue]] = []
    var row: [WireValue] = []
    while try next(&row) { rows.append(row.map { $0.databaseValue(in: bytes) }) }
    return rows
  }
}

extension WireValue {
  fileprivate func databaseValue(in bytes: [UInt8]) -> DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .double(let number): number.databaseValue
    case .text(let range), .dateText(let range):
      String(decoding: bytes[range], as: UTF8.self).databaseValue
    case .blob(let range): Data(bytes[range]).databaseValue
    case .boolean(let value): value.databaseValue
    }
  }
}

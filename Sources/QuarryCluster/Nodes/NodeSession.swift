import Quarry

/// A connection to a node, with the database that it has opened.
///
/// One thread at a time uses it. ``interrupt()`` is called from any thread.
final class NodeSession {
  let address: NodeAddress
  /// The longest time for one answer.
  var timeout: Duration
  private var stream: NodeStream
  private var result: NodeResult?

  /// - throws: ``ClusterError`` for a node that can't be reached.
  init(to address: NodeAddress, timeout: Duration) throws(ClusterError) {
    (self.address, self.timeout) = (address, timeout)
    stream = try NodeStream(to: address, until: .now + timeout)
  }

  /// Whether no error of the network or the protocol has occurred.
  var isUsable: Bool { stream.isUsable }

  /// Lets all requests fail, from now on.
  var interruption: @Sendable () -> Void { { [socket = stream.socket] in socket.interrupt() } }

  /// Sends a request, and receives its answer.
  ///
  /// - throws: `NodeFailure` when the node reports an error, ``ClusterError`` for others.
  func ask(_ request: WireRequest, for kind: WireAnswer.Kind) throws -> WireAnswer {
    try send(request)
    return try receive(kind, of: request)
  }

  /// Sends a request. A result that comes in before its answer is read up to its end.
  func send(_ request: WireRequest) throws {
    result?.receiveAll()
    result = nil
    try stream.send(request, until: .now + timeout)
  }

  func receive(_ kind: WireAnswer.Kind, of request: WireRequest) throws -> WireAnswer {
    let header = try receiveHeader(kind, of: request)
    let body = try stream.receive(header.count, until: .now + timeout)
    return WireAnswer(kind: header.kind, schema: header.schema, body: WireReader(body))
  }

  private func receiveHeader(
    _ kind: WireAnswer.Kind, of request: WireRequest
  ) throws -> WireHeader {
    let header = try stream.receiveHeader(until: .now + timeout)
    if header.kind == .failure {
      let body = try stream.receive(header.count, until: .now + timeout)
      throw try parse { () throws(WireError) in try NodeFailure(WireReader(body)) }
    }
    guard header.kind == kind else { throw unexpected(header.kind, request) }
    return header
  }

  /// Sends a request whose answer has no content.
  func order(_ request: WireRequest) throws { _ = try ask(request, for: .empty) }

  /// Reads an answer.
  func parse<Value>(_ body: () throws(WireError) -> Value) throws(ClusterError) -> Value {
    try stream.parse(body)
  }

  private func unexpected(_ kind: WireAnswer.Kind, _ request: WireRequest) -> any Error {
    do {
      return try parse { () throws(WireError) in
        throw WireError(reason: "\(request.name) is answered by \"\(kind)\"")
      }
    } catch {
      return error
    }
  }
}

extension NodeSession {
  /// Opens a database, and creates one that is not there.
  ///
  /// - throws: ``ClusterError`` for a node that is older than dqlite 1.18.
  func open(_ database: String) throws -> UInt32 {
    var body = try ask(.open(database), for: .database).body
    let id = try parse { () throws(WireError) in try body.halves().0 }
    let request = WireRequest.prepare("SELECT zeroblob(70000)", in: id)
    let answer = try ask(request, for: .statement)
    guard answer.schema == 1 else {
      throw ClusterError(
        .unsupportedNode,
        "the node runs a dqlite before 1.18, which aborts on ordinary statements: upgrade it",
        node: address)
    }
    let large = try statement(answer).statement
    // A node writes the types of a row of many columns behind its memory for answers, and aborts,
    // until that has grown beyond a page: it stays large.
    _ = try query(large, []).all()
    try order(.finalize(large))
    return id
  }

  /// Prepares the first statement of a text.
  ///
  /// - returns: The statement, the number of its parameters, and the number of bytes of the text up
  ///   to its end.
  func prepare(
    _ sql: String, in database: UInt32
  ) throws -> (statement: NodeStatement, parameterCount: Int, length: Int) {
    try statement(ask(.prepare(sql, in: database), for: .statement))
  }

  private func statement(
    _ answer: WireAnswer
  ) throws(ClusterError) -> (statement: NodeStatement, parameterCount: Int, length: Int) {
    var body = answer.body
    return try parse { () throws(WireError) in
      let (database, id) = try body.halves()
      let count = try body.word()
      let length = answer.schema == 1 ? try body.word() : 0
      return (
        NodeStatement(database: database, id: id), Int(clamping: count), Int(clamping: length)
      )
    }
  }

  /// Runs a statement that has no columns.
  func execute(
    _ statement: NodeStatement, _ arguments: [DatabaseValue]
  ) throws -> (lastInsertedRowID: Int64, changesCount: Int) {
    var body = try ask(.execute(statement, arguments), for: .result).body
    return try parse { () throws(WireError) in
      (Int64(bitPattern: try body.word()), Int(clamping: try body.word()))
    }
  }

  /// Runs a statement that has columns.
  func query(_ statement: NodeStatement, _ arguments: [DatabaseValue]) throws -> NodeResult {
    let request = WireRequest.query(statement, arguments)
    let answer = try ask(request, for: .rows)
    let result = try NodeResult(self, answer, of: request)
    self.result = result
    return result
  }
}

extension NodeSession {
  /// Sends the files of a database to a function, in parts: the name of the file, some bytes.
  func dump(_ database: String, _ receive: (String, ArraySlice<UInt8>) throws -> Void) throws {
    let request = WireRequest.dump(database)
    try send(request)
    _ = try receiveHeader(.files, of: request)
    do {
      try stream.receiveFiles(timeout: timeout, receive)
    } catch {
      // The rest of the answer is still to come.
      interruption()
      throw error
    }
  }
}

/// The rows of a statement. A node sends all batches without being asked.
final class NodeResult {
  private weak var session: NodeSession?
  private let request: WireRequest
  private var batch: RowBatch
  /// Batches that were received before they are read, in reverse.
  private var received: [RowBatch] = []
  private var isComplete: Bool
  private var isClosed = false
  private var failure: (any Error)?

  init(_ session: NodeSession, _ answer: WireAnswer, of request: WireRequest) throws(ClusterError) {
    (self.session, self.request) = (session, request)
    batch = try session.parse { () throws(WireError) in try RowBatch(answer.body) }
    isComplete = !batch.isFollowed
  }

  var columnNames: [String] { batch.columnNames }

  /// The bytes to which the ranges of the last row belong.
  var bytes: [UInt8] { batch.bytes }

  /// Reads the next row. Returns false after the last one.
  func next(_ row: inout [WireValue]) throws -> Bool {
    while true {
      if try nextReceived(&row) { return true }
      guard let next = try receive() else { return false }
      batch = next
    }
  }

  /// Reads the next row that was received already.
  func nextReceived(_ row: inout [WireValue]) throws -> Bool {
    while true {
      if try readRow(&row) { return true }
      guard let next = received.popLast() else { return false }
      batch = next
    }
  }

  private func readRow(_ row: inout [WireValue]) throws -> Bool {
    guard let session else { throw lostSession }
    var batch = batch
    defer { self.batch = batch }
    return try session.parse { () throws(WireError) in try batch.next(&row) }
  }

  private func receive() throws -> RowBatch? {
    if let failure { throw failure }
    guard !isComplete else { return nil }
    do {
      guard let session else { throw lostSession }
      let answer = try session.receive(.rows, of: request)
      let batch = try session.parse { () throws(WireError) in try RowBatch(answer.body) }
      isComplete = !batch.isFollowed
      return batch
    } catch {
      (isComplete, failure) = (true, error)
      throw error
    }
  }

  private var lostSession: ClusterError {
    ClusterError(.unreachable, "the connection was closed before all rows were read")
  }

  /// Keeps what is not received yet: another request has to wait for it. An error is thrown by
  /// ``next(_:)``, when the rows before it are read.
  func receiveAll() {
    var batches: [RowBatch] = []
    while let batch = try? receive() { if !isClosed { batches.append(batch) } }
    received = batches.reversed() + received
  }

  /// The rows that are not read yet are not needed.
  func close() {
    isClosed = true
    received = []
  }
}

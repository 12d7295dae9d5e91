/// The messages of a connection to a node.
///
/// After an error of the network or the protocol, the next message can't be found: the connection
/// is of no use any more, and says so.
struct NodeStream {
  let socket: NodeSocket
  private var buffer: [UInt8] = []
  private var position = 0
  private var failure: ClusterError?

  /// The most that is asked of the system at once.
  private static let bufferSize = 1 << 16

  /// The version of the protocol, which is the first word of a connection.
  private static let version: UInt64 = 1

  init(to address: NodeAddress, until deadline: ContinuousClock.Instant) throws(ClusterError) {
    socket = try NodeSocket(to: address, until: deadline)
    var writer = WireWriter()
    writer.append(Self.version)
    try socket.send(writer.bytes, until: deadline)
  }

  var isUsable: Bool { failure == nil }

  mutating func send(
    _ request: WireRequest, until deadline: ContinuousClock.Instant
  ) throws(ClusterError) {
    try use { (stream) throws(ClusterError) in
      try stream.socket.send(request.bytes, until: deadline)
    }
  }

  /// Receives a message, without its body.
  mutating func receiveHeader(
    until deadline: ContinuousClock.Instant
  ) throws(ClusterError) -> WireHeader {
    let bytes = try receive(WireHeader.size, until: deadline)
    return try parse { () throws(WireError) in try WireHeader(bytes) }
  }

  /// Receives a number of bytes.
  mutating func receive(
    _ count: Int, until deadline: ContinuousClock.Instant
  ) throws(ClusterError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, 1 << 24))
    while bytes.count < count {
      bytes.append(contentsOf: try receive(atMost: count - bytes.count, until: deadline))
    }
    return bytes
  }

  /// Receives at least one byte.
  mutating func receive(
    atMost count: Int, until deadline: ContinuousClock.Instant
  ) throws(ClusterError) -> ArraySlice<UInt8> {
    if position == buffer.count {
      try use { (stream) throws(ClusterError) in
        stream.buffer = try stream.socket.receive(atMost: Self.bufferSize, until: deadline)
        stream.position = 0
      }
    }
    let end = min(buffer.count, position + count)
    defer { position = end }
    return buffer[position..<end]
  }

  /// Reads what was received.
  mutating func parse<Value>(_ body: () throws(WireError) -> Value) throws(ClusterError) -> Value {
    try use { (stream) throws(ClusterError) in
      do throws(WireError) {
        return try body()
      } catch {
        throw ClusterError(
          .malformedAnswer,
          "the answer is malformed: \(error.reason). The node may be of another version, or no node "
            + "of a cluster", node: stream.socket.address)
      }
    }
  }

  private mutating func use<Value>(
    _ body: (inout Self) throws(ClusterError) -> Value
  ) throws(ClusterError) -> Value {
    if let failure { throw failure }
    do throws(ClusterError) {
      return try body(&self)
    } catch {
      failure = error
      throw error
    }
  }
}

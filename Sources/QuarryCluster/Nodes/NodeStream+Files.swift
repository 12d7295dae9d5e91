extension NodeStream {
  /// Receives the body of a dump: a number of files, each with its name, its length and its bytes.
  ///
  /// The bytes go to a function in parts, since a database may be larger than the memory.
  ///
  /// - Parameter timeout: The longest time for each part.
  mutating func receiveFiles(
    timeout: Duration, _ receive: (String, ArraySlice<UInt8>) throws -> Void
  ) throws {
    let count = try receiveWord(timeout)
    for _ in 0..<count {
      let name = try receiveName(timeout)
      let length = Int(clamping: try receiveWord(timeout))
      var rest = length
      while rest > 0 {
        let bytes = try self.receive(atMost: rest, until: .now + timeout)
        rest -= bytes.count
        try receive(name, bytes)
      }
      _ = try self.receive(-length & 7, until: .now + timeout)
    }
  }

  private mutating func receiveWord(_ timeout: Duration) throws(ClusterError) -> UInt64 {
    let bytes = try receive(8, until: .now + timeout)
    return bytes.word(at: 0)
  }

  private mutating func receiveName(_ timeout: Duration) throws(ClusterError) -> String {
    var bytes: [UInt8] = []
    repeat {
      bytes += try receive(8, until: .now + timeout)
    } while !bytes.suffix(8).contains(0) && bytes.count < 4096
    var reader = WireReader(bytes)
    return try parse { () throws(WireError) in try reader.text() }
  }
}

// Nodes run on Linux.
#if os(Linux)
  @testable import QuarryCluster

  /// The answers of a node that leads a cluster of its own: statements succeed, and queries have no
  /// rows.
  struct FakeLeader: Sendable {
    /// The answer to a commit. Nil closes the connection.
    let commit: [UInt8]?

    /// The answer of the node with an address.
    func answer(_ request: [UInt8], of address: String) -> [UInt8]? {
      switch request[4] {
      case 0: Self.message(.server) { Self.appendMember(address, to: &$0) }
      case 3: Self.message(.database) { $0.append(UInt64(0)) }
      case 4: Self.statement(isCommit: Self.text(request) == "COMMIT")
      case 5: request[12] == Self.commitID ? commit : Self.result
      case 6: Self.rows
      case 7: Self.message(.empty) { $0.append(UInt64(0)) }
      case 16: Self.members(address)
      default: nil
      }
    }

    /// The answer to an execution.
    static let result = message(.result) { body in
      body.append(UInt64(0))
      body.append(UInt64(0))
    }

    static func failure(_ code: Int, _ text: String) -> [UInt8] {
      message(.failure) { body in
        body.append(UInt64(code))
        body.append(text)
      }
    }

    /// The text of a request for a statement.
    static func text(_ request: [UInt8]) -> String {
      String(decoding: request[16...].prefix { $0 != 0 }, as: UTF8.self)
    }

    private static let commitID: UInt8 = 1

    private static func statement(isCommit: Bool) -> [UInt8] {
      message(.statement, schema: 1) { body in
        body.append(UInt32(0))
        body.append(UInt32(isCommit ? commitID : 0))
        // The parameters, and the length of the text.
        body.append(UInt64(0))
        body.append(UInt64(0))
      }
    }

    private static let rows = message(.rows) { body in
      body.append(UInt64(1))
      body.append("column")
      body.append(UInt64.max)
    }

    private static func members(_ address: String) -> [UInt8] {
      message(.servers) { body in
        body.append(UInt64(1))
        appendMember(address, to: &body)
        body.append(ClusterMember.Role.voter.rawValue)
      }
    }

    private static func appendMember(_ address: String, to body: inout WireWriter) {
      body.append(UInt64(1))
      body.append(address)
    }

    private static func message(
      _ kind: WireAnswer.Kind, schema: UInt8 = 0, _ body: (inout WireWriter) -> Void
    ) -> [UInt8] {
      var writer = WireWriter()
      body(&writer)
      var header = WireWriter()
      header.append(UInt32(writer.bytes.count / 8))
      header.append(UInt32(kind.rawValue) | UInt32(schema) << 8)
      return header.bytes + writer.bytes
    }
  }
#endif

import Quarry

/// A request to a node, as it is sent.
struct WireRequest {
  /// The request in words, for errors.
  let name: String
  private let type: UInt8
  private let schema: UInt8
  private let body: [UInt8]

  private init(_ name: String, _ type: UInt8, schema: UInt8 = 0, _ body: (inout WireWriter) -> Void)
  {
    var writer = WireWriter()
    body(&writer)
    (self.name, self.type, self.schema, self.body) = (name, type, schema, writer.bytes)
  }

  /// The header and the body: the length in words, the type, and the form of the request.
  var bytes: [UInt8] {
    var writer = WireWriter()
    writer.append(UInt32(body.count / 8))
    writer.append(UInt32(type) | UInt32(schema) << 8)
    return writer.bytes + body
  }
}

/// A statement that a node has prepared, for one connection.
struct NodeStatement: Hashable {
  let database: UInt32
  let id: UInt32
}

extension WireRequest {
  static var leader: Self { Self("the leader", 0) { $0.append(UInt64(0)) } }

  static func open(_ database: String) -> Self {
    Self("a database", 3) { body in
      body.append(database)
      // Flags and the name of a file system: a node ignores both.
      body.append(UInt64(0))
      body.append("")
    }
  }

  static func prepare(_ sql: String, in database: UInt32) -> Self {
    Self("a statement", 4, schema: 1) { body in
      body.append(UInt64(database))
      body.append(sql)
    }
  }

  /// Runs a statement that has no columns.
  static func execute(_ statement: NodeStatement, _ arguments: [DatabaseValue]) -> Self {
    Self("an execution", 5, schema: 1) { $0.append(statement, arguments) }
  }

  /// Runs a statement that has columns.
  static func query(_ statement: NodeStatement, _ arguments: [DatabaseValue]) -> Self {
    Self("rows", 6, schema: 1) { $0.append(statement, arguments) }
  }

  static func finalize(_ statement: NodeStatement) -> Self {
    Self("the end of a statement", 7) { $0.append(statement, []) }
  }

  static func add(_ id: UInt64, _ address: NodeAddress) -> Self {
    Self("a new node", 12) { body in
      body.append(id)
      body.append(address.description)
    }
  }

  static func assign(_ role: ClusterMember.Role, to id: UInt64) -> Self {
    Self("the role \(role)", 13) { body in
      body.append(id)
      body.append(role.rawValue)
    }
  }

  static func remove(_ id: UInt64) -> Self { Self("the removal of a node", 14) { $0.append(id) } }

  static func dump(_ database: String) -> Self { Self("a dump", 15) { $0.append(database) } }

  static var members: Self { Self("the members", 16) { $0.append(UInt64(1)) } }

  static func transferLeadership(to id: UInt64) -> Self {
    Self("a transfer of leadership", 17) { $0.append(id) }
  }

  static var describe: Self { Self("a description", 18) { $0.append(UInt64(0)) } }
}

extension WireWriter {
  fileprivate mutating func append(_ statement: NodeStatement, _ arguments: [DatabaseValue]) {
    append(statement.database)
    append(statement.id)
    append(arguments)
  }
}

public import Harness

/// The work as one writes it with nothing but the C API of SQLite: what the others are measured by.
public struct ByHand: Contender {
  let connection: Connection

  public init(path: String) throws {
    connection = try Connection(path: path)
    for pragma in Dataset.pragmas {
      try connection.execute(pragma)
    }
  }

  public func pass(for line: Line) -> Pass? {
    switch line {
    case .index, .name, .codable, .rows: players()
    case .strings: strings()
    case .integers: integers()
    case .key: playersByKey()
    case .filter: playersByEmail()
    case .prepare: preparations()
    case .pairs: pairs()
    case .children: authorsWithBooks()
    case .insertStatement, .insertEncode, .insertCodable, .insertMany: inserts()
    }
  }

  /// Work inside a transaction, and what its product sums up to.
  func reading<Product>(
    _ body: @escaping (Connection) throws -> Product,
    checksum: @escaping (Product) -> UInt64
  ) -> Pass {
    Pass {
      let product = try connection.inTransaction { try body(connection) }
      return { checksum(product) }
    }
  }
}

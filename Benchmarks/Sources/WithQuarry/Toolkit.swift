public import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// The work as a program on a toolkit does it. The same source is compiled twice: against Quarry,
/// and, as the target WithGRDB, against GRDB.
public struct Toolkit: Contender {
  private let queue: DatabaseQueue

  public init(path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      for pragma in Dataset.pragmas {
        try db.execute(sql: pragma)
      }
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  public func pass(for line: Line) -> Pass? {
    switch line {
    case .index: reading(players(IndexedPlayer.self))
    case .name: reading(players(NamedPlayer.self))
    case .codable: reading(players(CodablePlayer.self))
    case .rows: reading(rows)
    case .strings: reading(strings)
    case .integers: reading(integers)
    case .key: reading(playersByKey)
    case .filter: reading(playersByEmail)
    case .prepare: reading(preparations)
    case .pairs: reading(pairs)
    case .children: reading(authorsWithBooks)
    case .insertStatement: writing(insertByStatement)
    case .insertEncode: writing(insertEncodingRecords)
    case .insertCodable: writing(insertCodableRecords)
    case .insertMany: insertManyRecords.map(writing)
    }
  }

  private func reading<Product>(_ work: Work<Product>) -> Pass {
    Pass {
      let product = try queue.read(work.run)
      return { try work.checksum(product) }
    }
  }

  private func writing(_ insert: @escaping (Database) throws -> Void) -> Pass {
    Pass(
      prepare: { try queue.write { db in try db.execute(sql: "DELETE FROM newcomer") } },
      run: {
        try queue.write(insert)
        return {
          try queue.read { db in
            Checksum.of(try IndexedPlayer.fetchAll(db, sql: "SELECT * FROM newcomer"))
          }
        }
      })
  }
}

/// What is timed, and what its product sums up to.
struct Work<Product> {
  let run: (Database) throws -> Product
  let checksum: (Product) throws -> UInt64

  init(
    _ run: @escaping (Database) throws -> Product,
    checksum: @escaping (Product) throws -> UInt64
  ) {
    self.run = run
    self.checksum = checksum
  }
}

import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Changes of the schema that a reader has not made, and which its next access knows.
@Suite(.timeLimit(.minutes(10)))
struct PoolSchemaTests {
  /// Where the schema is changed.
  enum Place: CaseIterable {
    case writer, otherConnection, otherProcess

    func execute(_ sql: String, _ pool: DatabasePool) throws {
      switch self {
      case .writer:
        try pool.write { db throws in try db.execute(sql: sql) }
      case .otherConnection:
        try DatabaseQueue(path: pool.path).write { db in try db.execute(sql: sql) }
      case .otherProcess:
        let peer = try PeerProcess(pool, "execute", sql)
        #expect(peer.remainingLines().last == "done")
        #expect(peer.waitForExit() == 0)
      }
    }
  }

  /// The accesses to the reader.
  enum Access: CaseIterable {
    case read, unsafeRead, asyncRead, spawnConcurrentRead

    func run(on pool: DatabasePool, _ body: @escaping @Sendable (Database) throws -> Void) throws {
      let results = Log<Result<Void, any Error>>()
      let end = DispatchSemaphore(value: 0)
      let finish = { @Sendable (db: Result<Database, any Error>) in
        results.append(Result { try body(db.get()) })
        _ = end.signal()
      }
      switch self {
      case .read: return try pool.read(body)
      case .unsafeRead: return try pool.unsafeRead(body)
      case .asyncRead: pool.asyncRead(finish)
      case .spawnConcurrentRead:
        try pool.writeWithoutTransaction { _ throws in pool.spawnConcurrentRead(finish) }
      }
      end.wait()
      try results.elements[0].get()
    }
  }

  @Test(arguments: Place.allCases, Access.allCases)
  func `a key is looked up by the primary key that the table has now`(
    place: Place, access: Access
  ) throws {
    try withPool(readerCount(1)) { pool throws in
      try pool.write { db throws in
        try db.execute(
          sql: """
            CREATE TABLE copy (number INTEGER PRIMARY KEY, isbn INTEGER);
            INSERT INTO copy VALUES (1, 2), (2, 1);
            """)
      }
      let statement = "SELECT number FROM copy WHERE isbn = 1"
      try access.run(on: pool) { db throws in
        #expect(try Row.fetchOne(db, Table("copy").filter(key: 1))?["number"] == 1)
        #expect(try Int.fetchOne(db.cachedStatement(sql: statement)) == 2)
      }
      try place.execute(
        """
        DROP TABLE copy;
        CREATE TABLE copy (isbn INTEGER PRIMARY KEY, number INTEGER, shelf TEXT);
        INSERT INTO copy VALUES (1, 20, 'A'), (2, 10, 'B');
        """, pool)
      try access.run(on: pool) { db throws in
        #expect(try Row.fetchOne(db, Table("copy").filter(key: 1))?["number"] == 20)
        #expect(try Int.fetchOne(db.cachedStatement(sql: statement)) == 20)
        #expect(try db.columns(in: "copy").map(\.name) == ["isbn", "number", "shelf"])
        #expect(db.description == "Quarry.DatabasePool.reader.1")
      }
    }
  }

  @Test(arguments: [Access.read, .unsafeRead])
  func `changes of an attached database are known, too`(access: Access) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/archive.sqlite"
      let archive = try DatabasePool(path: path)
      try archive.write { db throws in try db.execute(sql: "CREATE TABLE loan (id)") }
      var configuration = readerCount(1)
      configuration.prepareDatabase { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [path])
      }
      let pool = try makePool(directory + "/library.sqlite", configuration)
      try access.run(on: pool) { db throws in
        #expect(try db.columns(in: "loan", in: "archive").count == 1)
        #expect(try db.tableExists("fine") == false)
      }
      try archive.write { db throws in
        try db.execute(sql: "ALTER TABLE loan ADD COLUMN date; CREATE TABLE fine (id)")
      }
      try access.run(on: pool) { db throws in
        #expect(try db.columns(in: "loan", in: "archive").count == 2)
        #expect(try db.tableExists("fine"))
      }
    }
  }

  @Test func `a change that is rolled back, and one that is made anew, leave the reader right`()
    throws
  {
    try withPool(readerCount(1)) { pool throws in
      func knowsLoans() throws -> Bool { try pool.read { db throws in try db.tableExists("loan") } }
      try pool.write { db throws in
        try db.inSavepoint {
          try db.execute(sql: "CREATE TABLE loan (id)")
          #expect(try knowsLoans() == false)
          return .rollback
        }
      }
      #expect(try knowsLoans() == false)
      try pool.write { db throws in try db.execute(sql: "CREATE TABLE loan (id)") }
      #expect(try knowsLoans())
      #expect(throws: CocoaError.self) {
        try pool.read { db throws in
          #expect(try db.tableExists("loan"))
          throw CocoaError(.featureUnsupported)
        }
      }
      try pool.write { db throws in try db.execute(sql: "DROP TABLE loan") }
      #expect(try knowsLoans() == false)
    }
  }
}

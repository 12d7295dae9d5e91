import Quarry
import QuarryTestSupport

/// The members of a library, whom the tests of table expressions share.
enum TableExpressionRows {
  struct Member: Codable, Hashable, FetchableRecord, PersistableRecord {
    static let darcy = Member(id: 1, name: "D'Arcy")
    static let neves = Member(id: 2, name: "Neves")
    static let bassi = Member(id: 3, name: "Bassi")

    var id: Int64
    var name: String

    /// A database with the three members.
    static func makeDatabase(
      configuration: Configuration = Configuration()
    ) throws -> DatabaseQueue {
      let database = try DatabaseQueue(configuration: configuration)
      try database.write { db in
        try db.execute(
          sql: """
            CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            INSERT INTO member VALUES (1, 'D''Arcy'), (2, 'Neves'), (3, 'Bassi');
            """)
      }
      return database
    }
  }
}

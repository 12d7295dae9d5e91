import Quarry
import QuarryTestSupport

/// What the first chapters of the guide share.
enum TableExpressionGuide {
  struct Player: Codable, Hashable, FetchableRecord, PersistableRecord {
    static let obrien = Player(id: 1, name: "O'Brien")
    static let smith = Player(id: 2, name: "Smith")
    static let jones = Player(id: 3, name: "Jones")

    var id: Int64
    var name: String

    /// A database with the three players.
    static func makeDatabase(
      configuration: Configuration = Configuration()
    ) throws -> DatabaseQueue {
      let database = try DatabaseQueue(configuration: configuration)
      try database.write { db in
        try db.execute(
          sql: """
            CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            INSERT INTO player VALUES (1, 'O''Brien'), (2, 'Smith'), (3, 'Jones');
            """)
      }
      return database
    }
  }
}

import Foundation
import Quarry
import QuarryTestSupport
import Testing

private struct Player: Codable, FetchableRecord {
  var id: Int64
  var name: String
}

private struct HandWrittenPlayer: FetchableRecord {
  var id: Int64
  var name: String

  init(row: Row) {
    id = row["id"]
    name = row["name"]
  }
}

private struct SnakeCased: Codable, FetchableRecord {
  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    .convertFromSnakeCase
  }

  var firstName: String
}

private struct Shouted: Codable, FetchableRecord {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    .custom { Key(stringValue: $0.uppercased() + "!") }
  }

  var name: String
}

/// A property of each kind that may lack its column.
private struct WithColor: Codable, FetchableRecord {
  var color: StoredColor
}

private struct WithDate: Codable, FetchableRecord {
  var date: Date
}

private struct WithData: Codable, FetchableRecord {
  var data: Data
}

private struct WithAddress: Codable, FetchableRecord {
  var address: StoredAddress
}

@Suite("Columns that a record misses", .onQueueAndPool)
struct MissingColumnTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var column: String
    var testDescription: String
    var fetches: [@Sendable (Database, String) throws -> Void]

    init<Record: FetchableRecord & SendableMetatype>(_ type: Record.Type, _ column: String) {
      self.column = column
      testDescription = "\(type)"
      fetches = [
        { db, sql in _ = try Record.fetchAll(db, sql: sql) },
        { db, sql in _ = try Record.fetchOne(db, sql: sql) },
        { db, sql in _ = try Record.fetchCursor(db, sql: sql).next() },
      ]
    }
  }

  private static let examples = [
    Example(Player.self, "name"), Example(HandWrittenPlayer.self, "name"),
    Example(WithColor.self, "color"), Example(WithDate.self, "date"),
    Example(WithData.self, "data"), Example(WithAddress.self, "address"),
  ]

  @Test(arguments: examples)
  func `A missing column is reported with the row and the SQL`(example: Example) throws {
    try DatabaseQueue().read { db in
      let sql = "SELECT 7 AS id, 'Ann' AS nom"
      for fetch in example.fetches {
        let error = errorText { try fetch(db, sql) }
        let expected = """
          column not found: "\(example.column)" - row: [id:7 nom:"Ann"], sql: `\(sql)`, arguments: []
          """
        #expect(error?.hasPrefix(expected) == true, "\(error ?? "no error")")
      }
    }
  }

  @Test func `A missing column is reported with the key and its conversion`() throws {
    try DatabaseQueue().read { db in
      let error = errorText { try SnakeCased.fetchAll(db, sql: "SELECT 'Ann' AS nom") }
      let expected = """
        key not found: CodingKeys(stringValue: "firstName", intValue: nil) ("firstName"), \
        converted to first_name - row: [nom:"Ann"], sql: `SELECT 'Ann' AS nom`
        """
      #expect(error?.hasPrefix(expected) == true, "\(error ?? "no error")")
    }
  }

  @Test func `A column whose name a strategy converts is found in the row`() throws {
    try DatabaseQueue().read { db in
      let error = errorText { try Shouted.fetchAll(db, sql: "SELECT 'Ann' AS name") }
      #expect(
        error?.contains(
          #"the row has "name", but `databaseColumnDecodingStrategy` converts the key"#) == true,
        "\(error ?? "no error")")
    }
  }

  @Test func `A request that selects too little is reported with its SQL`() throws {
    try makeBookshopDatabase().read { db in
      let request = Book.select(Column("title")).asRequest(of: Author.self)
      let error = errorText { try request.fetchAll(db) }
      let expected = """
        column not found: "id" - row: [title:"Dispossession"], \
        sql: `SELECT "title" FROM "book"`, arguments: []
        """
      #expect(error?.hasPrefix(expected) == true, "\(error ?? "no error")")
    }
  }

  @Test func `A row in memory misses a column too`() {
    let row: Row = ["id": 7]
    #expect(
      errorText { try Player(row: row) }?.hasPrefix(#"column not found: "name" - row: [id:7]"#)
        == true)
    let error = errorText { try FetchableRecordDecoder().decode(Player.self, from: row) }
    #expect(error?.hasPrefix(#"column not found: "name" - row: [id:7]"#) == true)
    #expect(error?.contains("Player") == true, "\(error ?? "no error")")
    #expect(
      errorText { try row.decode(String.self, forColumn: "name") }
        == #"column not found: "name" - row: [id:7]"#)
  }

  @Test func `A query without any column gives no value`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(try Int.fetchAll(db, sql: "DELETE FROM t") == [])
      #expect(try Player.fetchAll(db, sql: "DELETE FROM t").isEmpty)
    }
  }
}

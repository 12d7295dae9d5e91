import Foundation
import Quarry
import QuarryMigrations
import QuarryTesting
import Testing

// The tests that the page "Testing" of the manual shows.

// snippet.shop
struct Member: Codable, FetchableRecord, PersistableRecord, Equatable {
  var id: Int64
  var name: String
  var joined: Date?
}

/// The functions of the program get the connection: they can be tested with any database.
enum Members {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("members") { db in
      try db.create(table: "member") { t in
        t.primaryKey("id", .integer)
        t.column("name", .text).notNull()
      }
    }
    migrator.registerMigration("dates of members") { db in
      try db.alter(table: "member") { t in t.add(column: "joined", .datetime) }
    }
    return migrator
  }

  static func named(_ text: String) -> QueryInterfaceRequest<Member> {
    Member.filter(Column("name").like("\(text)%")).order(Column("name"))
  }

  static func join(_ db: Database, _ name: String) throws -> Member {
    try Member(id: 1, name: name, joined: db.transactionDate).inserted(db)
  }
}
// snippet.end

@Suite struct ManualTestingTests {
  // snippet.memory
  func makeDatabase(_ configuration: Configuration = Configuration()) throws -> DatabaseQueue {
    // In memory, for this test alone
    let database = try DatabaseQueue(configuration: configuration)
    try Members.migrator.migrate(database)
    return database
  }

  @Test func `members are found by the beginning of their name`() throws {
    let database = try makeDatabase()
    try database.write { db in
      try Member(id: 1, name: "Ada").insert(db)
      try Member(id: 2, name: "Bo").insert(db)
    }
    let names = try database.read { db in try Members.named("A").fetchAll(db).map(\.name) }
    #expect(names == ["Ada"])
  }
  // snippet.end

  // snippet.sql
  @Test func `members are found in one query`() throws {
    let sql = try makeDatabase().read { db in try Members.named("A").sql(db) }
    #expect(sql == #"SELECT * FROM "member" WHERE "name" LIKE 'A%' ORDER BY "name""#)
  }
  // snippet.end

  // snippet.clock
  @Test func `the date of a member is that of the transaction`() throws {
    var configuration = Configuration()
    configuration.transactionClock = .custom { _ in Date(timeIntervalSince1970: 0) }
    let member = try makeDatabase(configuration).write { db in try Members.join(db, "Ada") }
    #expect(member.joined == Date(timeIntervalSince1970: 0))
  }
  // snippet.end

  // snippet.differences
  @Test func `records fit the schema`() throws {
    let differences = try makeDatabase().read { db in try db.schemaDifferences(of: [Member.self]) }
    #expect(differences == [])
  }
  // snippet.end

  // snippet.plan
  @Test func `members are found by an index`() throws {
    let database = try makeDatabase()
    try database.write { db in
      try Member.filter(key: 1).expectSearch(db)

      try db.create(indexOn: "member", columns: ["name"])
      let ada = Member.filter(Column("name") == "Ada")
      try ada.expectSearch(db, of: "member", using: "index_member_on_name")
      try Member.order(Column("name")).expectNoTemporaryTree(db)
    }
  }
  // snippet.end

  // snippet.guard
  @Test func `no request scans a large table`() throws {
    var configuration = Configuration()
    configuration.planGuard = .standard(scansOver: 0) { report in throw report }
    let database = try makeDatabase(configuration)
    _ = try database.write { db in try Members.join(db, "Ada") }

    // All rows of member are read, which are more than 0
    // SELECT * FROM "member" WHERE "name" LIKE ? ORDER BY "name"
    let report = #expect(throws: PlanReport.self) {
      try database.read { db in try Members.named("A").fetchAll(db) }
    }
    #expect(report?.index?.columns == ["name"])
  }
  // snippet.end

  // snippet.error
  @Test func `a name is required`() throws {
    let database = try makeDatabase()
    let error = #expect(throws: DatabaseError.self) {
      try database.write { db in try db.execute(sql: "INSERT INTO member (id) VALUES (1)") }
    }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
  }
  // snippet.end

  // snippet.migration
  @Test func `members of the first version are kept`() throws {
    let database = try DatabaseQueue()  // or a file: `DatabaseQueue.inMemoryCopy(fromPath:)`
    try Members.migrator.migrate(database, upTo: "members")
    try database.write { db in try db.execute(sql: "INSERT INTO member VALUES (1, 'Ada')") }

    try Members.migrator.migrate(database)
    let members = try database.read { db in try Member.fetchAll(db) }
    #expect(members == [Member(id: 1, name: "Ada", joined: nil)])
  }
  // snippet.end

  // snippet.pool
  @Test func `a pool is tested with a file that goes with it`() async throws {
    let pool = try DatabasePool.temporary()
    try Members.migrator.migrate(pool)
    let member = try await pool.write { db in try Members.join(db, "Bo") }
    #expect(member.name == "Bo")
  }
  // snippet.end
}

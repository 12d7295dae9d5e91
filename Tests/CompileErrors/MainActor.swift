// flags: -default-isolation MainActor -enable-upcoming-feature NonisolatedNonsendingByDefault
// flags: -enable-upcoming-feature InferIsolatedConformances

import Foundation
import Quarry

// The settings of new Xcode projects, which isolate all declarations to the main actor. The page
// "Concurrency" of the manual explains what needs `nonisolated`.

// Types whose declarations have the conformances of the library are not isolated.

enum Genre: String, Codable, DatabaseValueConvertible {
  case novel, poems

  var isProse: Bool { self == .novel }
}

struct Temperature: DatabaseValueConvertible {
  var celsius: Double

  var databaseValue: DatabaseValue { celsius.databaseValue }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Temperature? {
    Double.fromDatabaseValue(dbValue).map(Temperature.init)
  }
}

struct Member: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let name = Column(CodingKeys.name)
    static let favorite = Column(CodingKeys.favorite)
  }

  static let cards = hasMany(Card.self)

  var id: Int64?
  var name: String
  var favorite: Genre

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

// So are their extensions.
extension Member {
  static let loans = hasMany(Loan.self)

  static func named(_ name: String) -> QueryInterfaceRequest<Member> {
    filter { $0.name == name }
  }
}

struct Card: FetchableRecord, PersistableRecord {
  static let member = belongsTo(Member.self)

  var number: Int
  var storage: Temperature

  init(row: Row) throws {
    number = row["number"]
    storage = row["storage"]
  }

  func encode(to container: inout PersistenceContainer) throws {
    container["number"] = number
    container["storage"] = storage
  }
}

final class LoanCounter: TransactionObserver {
  private(set) var count = 0

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    eventKind.tableName == "loan"
  }
  func databaseDidChange(with event: DatabaseEvent) { count += 1 }
  func databaseDidCommit(_ db: Database) { print(count) }
  func databaseDidRollback(_ db: Database) { count = 0 }
}

final class QuietTokenizer: FTS5WrapperTokenizer {
  static let name = "quiet"

  let wrappedTokenizer: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: (String, FTS5TokenFlags) throws -> Void
  ) throws {
    try tokenCallback(token, flags)
  }
}

struct LongestTitle: DatabaseAggregate {
  private var length = 0

  mutating func step(_ values: [DatabaseValue]) throws {
    length = max(length, String.fromDatabaseValue(values[0])?.count ?? 0)
  }

  func finalize() throws -> (any DatabaseValueConvertible)? { length }
}

// Other types, and their extensions, say it.

// snippet.nonisolated
nonisolated struct Room: Codable {
  var id: Int64
  var name: String
}

nonisolated extension Room: FetchableRecord, PersistableRecord {
  enum Columns {
    static let name = Column(CodingKeys.name)
  }

  static let shelves = hasMany(Shelf.self)
}

nonisolated extension DerivableRequest<Room> {
  func named(_ name: String) -> Self { filter { $0.name == name } }
}
// snippet.end

nonisolated struct Humidity {
  var percent: Double
}

nonisolated extension Humidity: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { percent.databaseValue }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Humidity? {
    Double.fromDatabaseValue(dbValue).map(Humidity.init)
  }
}

nonisolated extension DatabaseCollation {
  static let titles = DatabaseCollation("titles") { $0.compare($1) }
}

func openLibrary() throws -> DatabaseQueue {
  var configuration = Configuration()
  configuration.prepareDatabase { db in
    db.add(tokenizer: QuietTokenizer.self)
    db.add(collation: .titles)
    db.add(function: DatabaseFunction("longest", argumentCount: 1, aggregate: LongestTitle.self))
  }
  let library = try DatabaseQueue(configuration: configuration)
  var migrator = DatabaseMigrator()
  migrator.registerMigration("members") { db in
    try db.create(table: "member") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text).notNull()
    }
  }
  try migrator.migrate(library)
  library.add(transactionObserver: LoanCounter(), extent: .databaseLifetime)
  return library
}

final class MemberList {
  private(set) var members: [Member] = []
  private let library: any DatabaseWriter
  private var cancellable: AnyDatabaseCancellable?

  init(_ library: any DatabaseWriter) { self.library = library }

  func start() {
    let observation = ValueObservation.tracking { db in
      try Member.order { $0.name }.fetchAll(db)
    }
    cancellable = observation.start(in: library) { error in
      print(error)
    } onChange: { members in
      self.members = members
    }
  }

  func follow() async throws {
    for try await members in ValueObservation.tracking(Member.fetchAll).values(in: library) {
      self.members = members
    }
  }

  func add(_ name: String) async throws {
    let member = try await library.write { db in
      try Member(id: nil, name: name, favorite: .poems).inserted(db)
    }
    members.append(member)
  }

  func reload() throws {
    members = try library.read { db in try Member.including(all: Member.cards).fetchAll(db) }
  }

  func counts() async throws -> [Int] {
    try await library.read { db in
      let prose = try Member.filter { $0.favorite == Genre.novel }.fetchAll(db)
      return [
        prose.count { $0.favorite.isProse }, try Member.named("Anna").fetchCount(db),
        try Member.including(all: Member.loans).fetchCount(db),
        try Room.all().named("Attic").including(all: Room.shelves).fetchCount(db),
        try Temperature.fetchAll(db, Card.select(Column("storage"))).count,
        try Humidity.fetchAll(db, sql: "SELECT humidity FROM room").count,
      ]
    }
  }
}

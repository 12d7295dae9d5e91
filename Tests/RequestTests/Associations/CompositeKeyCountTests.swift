import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let day = Column("day")

private struct Reader: TableRecord {
  static let loans = hasMany(Loan.self)
  static let visits = hasMany(Visit.self)
  static let shelves = hasMany(Shelf.self, through: visits, using: Visit.shelves)
}

private struct Loan: TableRecord {}
private struct Shelf: TableRecord {}
private struct Visit: TableRecord {
  static let shelves = hasMany(Shelf.self, using: ForeignKey(["room"], to: ["room"]))
}

// The rows, for nested loops over arrays.
private let readers = [1, 2, 3, 4]
private let loans: [(reader: Int, isbn: String, day: Int)] = [
  (1, "a", 1), (1, "a", 2), (1, "b", 2), (2, "b", 3), (3, "a", 3),
]
private let visits: [(reader: Int, room: String)] = [
  (1, "attic"), (1, "attic"), (1, "cellar"), (3, "cellar"),
]
private let shelves: [(room: String, num: Int)] = [
  ("attic", 1), ("attic", 2), ("cellar", 1),
]

private func makeLibrary() throws -> DatabaseQueue {
  let database = try makeDatabase(
    sql: """
      CREATE TABLE reader (id INTEGER PRIMARY KEY);
      CREATE TABLE loan (
        readerId INTEGER REFERENCES reader(id), isbn TEXT, day INTEGER, PRIMARY KEY (isbn, day)
      ) WITHOUT ROWID;
      CREATE TABLE visit (id INTEGER PRIMARY KEY, readerId INTEGER REFERENCES reader(id), room TEXT);
      CREATE TABLE shelf (room TEXT, num INTEGER, PRIMARY KEY (room, num)) WITHOUT ROWID;
      """)
  try database.write { db in
    for reader in readers {
      try db.execute(sql: "INSERT INTO reader VALUES (?)", arguments: [reader])
    }
    for loan in loans {
      try db.execute(
        sql: "INSERT INTO loan VALUES (?, ?, ?)", arguments: [loan.reader, loan.isbn, loan.day])
    }
    for visit in visits {
      try db.execute(
        sql: "INSERT INTO visit (readerId, room) VALUES (?, ?)",
        arguments: [visit.reader, visit.room])
    }
    for shelf in shelves {
      try db.execute(sql: "INSERT INTO shelf VALUES (?, ?)", arguments: [shelf.room, shelf.num])
    }
  }
  return database
}

private func loanCount(_ reader: Int) -> Int { loans.filter { $0.reader == reader }.count }

private func shelfCount(_ reader: Int) -> Int {
  let rooms = visits.filter { $0.reader == reader }.map(\.room)
  return shelves.filter { rooms.contains($0.room) }.count
}

/// Counts of rows that several columns identify: SQLite's `COUNT(DISTINCT …)` takes one.
struct CompositeKeyCountTests {
  @Test func `rows of an association are counted in a subquery`() throws {
    try makeLibrary().read { db throws in
      let request = Reader.annotated(with: Reader.loans.count).order(id)
      #expect(
        try request.makePreparedRequest(db).statement.sql == """
          SELECT "reader".*, (SELECT COUNT(*) FROM "loan" WHERE "loan"."readerId" = "reader"."id") \
          AS "loanCount" FROM "reader" ORDER BY "reader"."id"
          """)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["loanCount"] as Int } == readers.map(loanCount))
    }
  }

  @Test func `rows that a through association repeats count once`() throws {
    try makeLibrary().read { db throws in
      let request = Reader.annotated(with: Reader.shelves.count).order(id)
      #expect(
        try request.makePreparedRequest(db).statement.sql == """
          SELECT "reader".*, (SELECT COUNT(*) FROM (SELECT DISTINCT "shelf"."room", "shelf"."num" \
          FROM "visit" JOIN "shelf" ON "shelf"."room" = "visit"."room" \
          WHERE "visit"."readerId" = "reader"."id")) AS "shelfCount" FROM "reader" \
          ORDER BY "reader"."id"
          """)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["shelfCount"] as Int } == readers.map(shelfCount))
    }
  }

  @Test func `several counts in one request`() throws {
    try makeLibrary().read { db throws in
      let request = Reader.annotated(
        with: Reader.loans.count, Reader.shelves.count, Reader.visits.count,
        Reader.loans.filter(day > 2).forKey("late").count)
      let rows = try request.order(id).asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["loanCount"] as Int } == readers.map(loanCount))
      #expect(rows.map { $0["shelfCount"] as Int } == readers.map(shelfCount))
      #expect(
        rows.map { $0["visitCount"] as Int }
          == readers.map { reader in visits.filter { $0.reader == reader }.count })
      #expect(
        rows.map { $0["lateCount"] as Int }
          == readers.map { reader in loans.filter { $0.reader == reader && $0.day > 2 }.count })
    }
  }

  @Test func `conditions on counts`() throws {
    try makeLibrary().read { db throws in
      func ids(_ request: QueryInterfaceRequest<Reader>) throws -> [Int] {
        try Int.fetchAll(db, request.select(id).order(id))
      }
      #expect(
        try ids(Reader.having(Reader.loans.count > 1)) == readers.filter { loanCount($0) > 1 })
      #expect(try ids(Reader.having(Reader.loans.isEmpty)) == readers.filter { loanCount($0) == 0 })
      #expect(
        try ids(Reader.having(Reader.shelves.count >= Reader.loans.count))
          == readers.filter { shelfCount($0) >= loanCount($0) })
      #expect(try Reader.having(Reader.shelves.isEmpty == false).fetchCount(db) == 2)
    }
  }
}

import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Collations")
struct DatabaseCollationTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('bb'), ('a'), ('ccc')")
    }
  }

  private static let byLength = DatabaseCollation("sorted") { left, right in
    left.count < right.count
      ? .orderedAscending : left.count == right.count ? .orderedSame : .orderedDescending
  }

  private static let byLengthDown = DatabaseCollation("SORTED") { left, right in
    byLength.compare(right, left)
  }

  private func values(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT a FROM t ORDER BY a COLLATE sorted")
  }

  @Test func `a collation orders texts`() throws {
    try queue.inDatabase { db throws -> Void in
      db.add(collation: Self.byLength)
      #expect(try values(db) == ["a", "bb", "ccc"])
    }
  }

  @Test func `a collation with the same name, whatever its case, replaces the former one`() throws {
    try queue.inDatabase { db throws -> Void in
      db.add(collation: Self.byLength)
      db.add(collation: Self.byLengthDown)
      #expect(try values(db) == ["ccc", "bb", "a"])
    }
  }

  @Test func `a collation that is in use survives its replacement`() throws {
    try queue.inDatabase { db in
      db.add(collation: DatabaseCollation("sorted") { $0.compare($1) })
      try db.execute(sql: "CREATE INDEX byA ON t(a COLLATE sorted)")
      let cursor = try String.fetchCursor(
        db, sql: "SELECT a FROM t WHERE a >= 'a' COLLATE sorted ORDER BY a COLLATE sorted")
      #expect(try cursor.next() == "a")
      db.add(collation: Self.byLength)
      db.remove(collation: Self.byLength)
      _ = try? cursor.next()
    }
  }

  @Test func `a removed collation is unknown`() throws {
    try queue.inDatabase { db throws -> Void in
      db.add(collation: Self.byLength)
      _ = try values(db)
      db.remove(collation: Self.byLength)
      let error = databaseError { try values(db) }
      #expect(error?.message == "no such collation sequence: sorted")
    }
  }

  @Test func `a name with a NUL character is not the name that ends there`() throws {
    try queue.inDatabase { db throws -> Void in
      db.add(collation: Self.byLength)
      db.add(collation: DatabaseCollation("sorted\0down") { Self.byLengthDown.compare($0, $1) })
      #expect(try values(db) == ["a", "bb", "ccc"])
    }
  }

  @Test func `collations are identified by name, without regard to case`() {
    #expect(Self.byLength.id == Self.byLengthDown.id)
    #expect(Self.byLength.id.hashValue == Self.byLengthDown.id.hashValue)
    #expect(Self.byLength.name == "sorted")
    #expect(DatabaseCollation("other") { _, _ in .orderedSame }.id != Self.byLength.id)
  }

  @Test func `a collation of the preparation exists on the connection`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(collation: Self.byLength) }
    let queue = try DatabaseQueue(configuration: configuration)
    #expect(
      try queue.read { db in
        try Bool.fetchOne(db, sql: "SELECT 'zz' COLLATE sorted < 'aaa'")
      } == true)
  }
}

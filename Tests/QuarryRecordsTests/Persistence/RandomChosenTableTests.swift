import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

/// Is written to the table of the twin.
private struct Guest: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var clubId: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A type whose own table is the twin is the oracle.
private struct Twin: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "twin"

  var id: Int64?
  var clubId: Int64?
  var name: String

  init(_ guest: Guest) { (id, clubId, name) = (guest.id, guest.clubId, guest.name) }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct RandomChosenTableTests {
  private static let definitions = [
    "(id INTEGER PRIMARY KEY, clubId INTEGER REFERENCES club, name TEXT UNIQUE)",
    "(id INTEGER, clubId INTEGER CHECK (clubId < 3), name TEXT PRIMARY KEY)",
    "(id INTEGER, clubId INTEGER, name TEXT, PRIMARY KEY (clubId, name)) WITHOUT ROWID",
    "(id INTEGER PRIMARY KEY, name TEXT, clubId TEXT NOT NULL DEFAULT 2)", "(id, clubId, name)",
  ]

  @Test func `random writes are those of a type whose own table it is`() throws {
    let run = RandomRun("chosen tables")
    let (first, second) = (try DatabaseQueue(), try DatabaseQueue())
    let count = try run.repeated(seconds: 1) { random in
      let definition = random.pick(Self.definitions)
      try first.writeWithoutTransaction { chosen throws in
        try second.writeWithoutTransaction { own throws in
          for db in [chosen, own] {
            try db.execute(
              sql: """
                CREATE TABLE IF NOT EXISTS club (id INTEGER PRIMARY KEY);
                INSERT OR REPLACE INTO club VALUES (1), (2);
                DROP TABLE IF EXISTS twin; DROP TABLE IF EXISTS guest;
                CREATE TABLE twin \(definition); CREATE TABLE guest (id, clubId, name);
                """)
          }
          for _ in 0..<30 { try writeBoth(chosen, own, &random) }
          #expect(try Table("guest").fetchCount(chosen) == 0)
        }
      }
    }
    #expect(count > 0)
  }

  private func writeBoth(_ db: Database, _ own: Database, _ random: inout SplitMix64) throws {
    func guest() -> Guest {
      Guest(
        id: random.chance(3) ? nil : Int64(random.below(5)),
        clubId: random.chance(3) ? nil : Int64(random.below(4)),
        name: random.pick(["Ada", "Bo", "Cy", "Di"]))
    }
    var chosen = guest()
    var twin = Twin(chosen)
    var batch = (0..<random.below(4)).map { _ in guest() }
    var twins = batch.map(Twin.init)
    let conflict: Database.ConflictResolution? = random.pick([nil, nil, .ignore, .replace])
    let columns = random.pick([nil, ["name"], ["clubId", "id"]])
    let (first, second): (() throws -> Any, () throws -> Any) =
      switch random.below(6) {
      case 0:
        (
          { try chosen.insert(db, into: "twin", onConflict: conflict) },
          { try twin.insert(own, onConflict: conflict) }
        )
      case 1:
        (
          { try chosen.update(db, in: "twin", onConflict: conflict, columns: columns) },
          {
            if let columns {
              try twin.update(own, onConflict: conflict, columns: columns)
            } else {
              try twin.update(own, onConflict: conflict)
            }
          }
        )
      case 2:
        (
          { try chosen.save(db, into: "twin", onConflict: conflict) },
          { try twin.save(own, onConflict: conflict) }
        )
      case 3: ({ try chosen.upsert(db, into: "twin") }, { try twin.upsert(own) })
      case 4: ({ try chosen.delete(db, from: "twin") }, { try twin.delete(own) })
      default:
        (
          { try Guest.insert(db, contentsOf: &batch, into: "twin", onConflict: conflict) },
          { try Twin.insert(own, contentsOf: &twins, onConflict: conflict) }
        )
      }
    let results = [first, second].map { write -> String in
      do {
        return "\(try write())"
      } catch {
        return "\(error)".replacing("Guest", with: "Twin")
      }
    }
    #expect(results[0] == results[1])
    #expect(chosen.id == twin.id)
    #expect(batch.map(\.id) == twins.map(\.id))
    try #expect(Table("twin").fetchAll(db) == Table("twin").fetchAll(own))
  }
}

import Quarry
import QuarryRecords

// What goes beyond the documented API: several records at once, default values, nothing on
// conflict, key paths.

func insertionsOfSeveralRecords(_ db: Database, _ mutable: [Logged]) throws {
  var mutable = mutable
  try Logged.insert(db, contentsOf: &mutable)
  try Logged.insert(db, contentsOf: &mutable, onConflict: .replace)
  let _: [Logged] = try Logged.inserted(db, contentsOf: mutable)
  let _: [Logged] = try Logged.inserted(db, contentsOf: mutable.lazy, onConflict: .ignore)
  try Immutable.insert(db, contentsOf: [Immutable(id: 1)])
  try Immutable.insert(db, contentsOf: (1...3).lazy.map { Immutable(id: $0) }, onConflict: .fail)
}

func writesIntoChosenTables(_ db: Database, _ record: Logged, _ immutable: Immutable) throws {
  var mutable = record
  try mutable.insert(db, into: "old")
  try mutable.insert(db, into: "old", onConflict: .replace)
  try mutable.save(db, into: "old")
  try mutable.upsert(db, into: "old")
  try record.update(db, in: "old")
  try record.update(db, in: "old", onConflict: .ignore, columns: ["id"])
  try record.delete(db, from: "old")
  let _: Bool = try immutable.delete(db, from: "old")
  var records = [record]
  try Logged.insert(db, contentsOf: &records, into: "old")
  try Logged.insert(db, contentsOf: &records, into: "old", onConflict: .fail)
  try immutable.insert(db, into: "old")
  try immutable.save(db, into: "old", onConflict: .replace)
  try immutable.upsert(db, into: "old")
  try Immutable.insert(db, contentsOf: [immutable], into: "old")
  try Immutable.insert(db, contentsOf: CollectionOfOne(immutable), into: "old", onConflict: .fail)
}

func insertionsByRule(_ db: Database, _ mutable: Logged, _ immutable: Immutable) throws {
  var mutable = mutable
  try mutable.insert(db, columns: .nonNull)
  try mutable.insert(db, onConflict: .replace, columns: InsertedColumns.all)
  try immutable.insert(db, columns: .nonNull)
  let _: Logged = try mutable.insertAndFetch(db, columns: .nonNull)
  let _: Immutable = try immutable.insertAndFetch(db, onConflict: .replace, columns: .nonNull)

  let action: InsertionConflictAction = .doNothing(on: ["id"])
  try mutable.insert(db, onConflict: .doNothing)
  let _: Bool = try mutable.insert(db, onConflict: action)
  let _: Bool = try immutable.insert(db, onConflict: action)
  let _: Logged? = try mutable.inserted(db, onConflict: .doNothing)
  let _: Logged? = try mutable.insertAndFetch(db, onConflict: action)
  let _: Immutable? = try immutable.insertAndFetch(db, onConflict: .doNothing)
  // The conflict resolutions of SQLite are as short as ever.
  try mutable.insert(db, onConflict: .ignore)
  try mutable.insert(db, onConflict: nil)
  let _: Logged = try mutable.inserted(db, onConflict: .ignore)
  let _: Logged = try mutable.insertAndFetch(db)
}

func updatesByKeyPath(_ db: Database, _ mutable: Logged) throws {
  var mutable = mutable
  try mutable.update(db, \.id, to: 1)
  let _: Bool = try mutable.update(db, onConflict: .replace, \.id, to: nil)
}

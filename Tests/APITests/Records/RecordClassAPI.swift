import Quarry

/// A subclass that overrides all that can be.
class Person: Record {
  var id: Int64?
  var name: String

  override class var databaseTableName: String { "person" }

  override class var persistenceConflictPolicy: PersistenceConflictPolicy {
    PersistenceConflictPolicy(insert: .replace, update: .replace)
  }

  override class var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }

  init(name: String) {
    self.name = name
    super.init()
  }

  required init(row: Row) throws {
    id = row["id"]
    name = row["name"]
    try super.init(row: row)
  }

  override func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["name"] = name
  }

  override func willInsert(_ db: Database) throws { try super.willInsert(db) }

  override func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    try super.aroundInsert(db, insert: insert)
  }

  override func didInsert(_ inserted: InsertionSuccess) {
    super.didInsert(inserted)
    id = inserted.rowID
  }

  override func willUpdate(_ db: Database, columns: Set<String>) throws {
    try super.willUpdate(db, columns: columns)
  }

  override func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    try super.aroundUpdate(db, columns: columns, update: update)
  }

  override func didUpdate(_ updated: PersistenceSuccess) { super.didUpdate(updated) }

  override func willSave(_ db: Database) throws { try super.willSave(db) }

  override func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    try super.aroundSave(db, save: save)
  }

  override func didSave(_ saved: PersistenceSuccess) { super.didSave(saved) }

  override func willDelete(_ db: Database) throws { try super.willDelete(db) }

  override func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    try super.aroundDelete(db, delete: delete)
  }

  override func didDelete(deleted: Bool) { super.didDelete(deleted: deleted) }
}

func recordClass(_ person: Person, _ db: Database) throws {
  let _: Bool = person.hasDatabaseChanges
  let _: [String: DatabaseValue?] = try person.databaseChanges
  try person.updateChanges(db)
  let _: Bool = try person.updateChanges(db)
  try person.insert(db)
  try person.save(db)
  try person.update(db)
  try person.delete(db)
  let _: [Person] = try Person.fetchAll(db)
  let _: Person? = try Person.fetchOne(db, key: 1)
  let _: [Person] = try Person.filter(Column("name") == "Ann").fetchAll(db)
  let _: Record = Record()
}

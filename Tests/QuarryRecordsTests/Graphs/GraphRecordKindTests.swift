import Foundation
import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Owner: Codable, Equatable, FetchableRecord, MutablePersistableRecord, VersionedRecord
{
  static let databaseTableName = "owner"
  static let items = hasMany(Item.self)
  static let things = hasMany(Thing.self)
  static let parts = hasMany(Part.self)
  static let subclasses = hasMany(BigThing.self)
  var id: Int64?
  var name: String
  var version = 1
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private struct Item: Codable, Equatable, FetchableRecord, MutablePersistableRecord, VersionedRecord,
  SoftDeletableRecord
{
  static let databaseTableName = "item"
  static let parts = hasMany(Part.self)
  var id: Int64?
  var ownerId: Int64?
  var name: String
  var version = 1
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The same table, without mark and version.
private struct Part: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "part"
  var id: Int64?
  var itemId: Int64?
  var ownerId: Int64?
  var name: String
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private class Thing: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "part"
  var id: Int64?
  var ownerId: Int64?
  var name: String

  init(name: String) { self.name = name }
  func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private final class BigThing: Thing {}

private struct ItemInfo: Equatable {
  var item: Item
  var parts: [Part] = []
}

private struct OwnerInfo<Child> {
  var owner: Owner
  var children: [Child]
}

private let schema = """
  CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT, version INTEGER NOT NULL);
  CREATE TABLE item (
    id INTEGER PRIMARY KEY, ownerId INTEGER REFERENCES owner(id), name TEXT,
    version INTEGER NOT NULL, deletedAt TEXT);
  CREATE TABLE part (
    id INTEGER PRIMARY KEY, itemId INTEGER REFERENCES item(id), ownerId INTEGER REFERENCES owner(id),
    name TEXT);
  INSERT INTO owner VALUES (1, 'O', 1);
  INSERT INTO item VALUES (1, 1, 'A', 1, NULL), (2, 1, 'B', 1, NULL), (3, 1, 'C', 1, '2026-01-01');
  INSERT INTO part (itemId, name) VALUES (1, 'a'), (2, 'b');
  """

private func items(_ missing: MissingRows) -> SavedGraph<OwnerInfo<Item>, Owner> {
  SavedGraph(\OwnerInfo<Item>.owner)
    .having(many: \.children, Owner.items, key: \.ownerId, missing: missing)
}

private func ownerInfo(_ db: Database) throws -> OwnerInfo<Item> {
  OwnerInfo(
    owner: try Owner.find(db, key: 1), children: try Item.order(Column("id")).fetchAll(db))
}

extension Database {
  fileprivate func items() throws -> [String] {
    try texts("SELECT id, ownerId, name, version, deletedAt IS NOT NULL FROM item ORDER BY id")
  }
}

struct GraphRecordKindTests {
  @Test func `versions are compared and raised, of changed records only`() throws {
    try withShop(schema) { db, _ throws in
      var info = try ownerInfo(db)
      let stale = info
      info.owner.name = "P"
      info.children[1].name = "B2"
      try items(.delete).save(db, &info)
      #expect(info.owner.version == 2)
      #expect(info.children.map(\.version) == [1, 2])
      #expect(try db.items() == ["1 1 A 1 0", "2 1 B2 2 0", "3 1 C 1 1"])
      info.children[1].name = "B3"
      try items(.delete).save(db, &info)
      #expect(info.children.map(\.version) == [1, 3])

      var other = stale
      other.owner = info.owner
      let error = graphError { try items(.delete).save(db, &other) }
      #expect(error?.path == "owner.items[1]")
      #expect((error?.underlyingError as? StaleRecordError)?.currentVersion == 3.databaseValue)
      #expect(other.children == stale.children)
      other = stale
      let root = graphError { try items(.delete).save(db, &other) }
      #expect(root?.path == "owner")
      #expect(root?.underlyingError is StaleRecordError)
    }
  }

  @Test func `missing rows of a soft deletion are marked, with the next version`() throws {
    try withShop(schema) { db, recorder throws in
      var info = try ownerInfo(db)
      info.children.removeFirst()
      _ = recorder.take()
      try items(.delete).save(db, &info)
      #expect(recorder.takeWrites().count == 1)
      #expect(try db.items() == ["1 1 A 2 1", "2 1 B 1 0", "3 1 C 1 1"])
      info.children = []
      try items(.detach).save(db, &info)
      #expect(try db.items() == ["1 1 A 2 1", "2 - B 2 0", "3 1 C 1 1"])
    }
  }

  @Test func `rows that are marked are neither missing nor updated`() throws {
    try withShop(schema) { db, _ throws in
      var info = try ownerInfo(db)
      try items(.refuse).save(db, &info)
      info.children.append(Item(id: 3, name: "C2"))
      let error = graphError { try items(.refuse).save(db, &info) }
      #expect(error?.reason == .deletedRow)
      #expect(error?.path == "owner.items[2]")
      try info.children[2].restore(db)
      try items(.refuse).save(db, &info)
      #expect(try db.items().last == "3 1 C2 3 0")
    }
  }

  @Test func `a record that stores its mark brings its row back`() throws {
    struct Marked: Codable, FetchableRecord, MutablePersistableRecord, SoftDeletableRecord {
      static let databaseTableName = "item"
      var id: Int64?
      var ownerId: Int64?
      var name: String
      var version = 1
      var deletedAt: Date?
    }
    struct Keeper: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "owner"
      static let items = hasMany(Marked.self)
      var id: Int64
    }
    struct Info {
      var keeper: Keeper
      var items: [Marked]
    }
    try withShop(schema) { db, _ throws in
      var info = Info(keeper: Keeper(id: 1), items: [Marked(id: 3, name: "C")])
      let graph = SavedGraph(\Info.keeper)
        .having(many: \.items, Keeper.items, key: \.ownerId, missing: .keep)
      try graph.save(db, &info)
      #expect(try db.items().last == "3 1 C 1 0")
    }
  }

  @Test func `what a marked row has is treated as the graph says`() throws {
    struct Info {
      var owner: Owner
      var items: [ItemInfo]
    }
    let graph = { (parts: MissingRows) in
      SavedGraph(\Info.owner).having(
        many: \.items, Owner.items,
        as: SavedGraph(\ItemInfo.item)
          .having(many: \.parts, Item.parts, key: \.itemId, missing: parts),
        key: \.ownerId, missing: .delete)
    }
    try withShop(schema) { db, _ throws in
      var info = Info(
        owner: try Owner.find(db, key: 1),
        items: [
          ItemInfo(item: try Item.find(db, key: 1), parts: try Part.filter(key: 1).fetchAll(db))
        ])
      try db.inSavepoint {
        try graph(.keep).save(db, &info)
        #expect(try db.items()[1] == "2 1 B 2 1")
        #expect(try db.texts("SELECT name FROM part") == ["a", "b"])
        return .rollback
      }
      try graph(.delete).save(db, &info)
      #expect(try db.texts("SELECT name FROM part") == ["a"])
    }
  }

  @Test func `objects are saved, and get their keys`() throws {
    let graph = SavedGraph(\OwnerInfo<Thing>.owner)
      .having(many: \.children, Owner.things, key: \.ownerId, missing: .delete)
    try withShop(schema) { db, _ throws in
      let (first, second) = (Thing(name: "x"), Thing(name: "y"))
      var info = OwnerInfo(owner: try Owner.find(db, key: 1), children: [first, second])
      try graph.save(db, &info)
      #expect(first.ownerId == 1)
      #expect([first.id, second.id] == [3, 4])
      first.name = "x2"
      info.children = [first]
      try graph.save(db, &info)
      let rows = "SELECT id, name FROM part WHERE ownerId = 1"
      #expect(try db.texts(rows) == ["3 x2"])

      let new = Thing(name: "z")
      info.children = [first, new, new]
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .duplicate)
      #expect(error?.path == "owner.parts[2]")

      // A subclass inherits the table and the key path.
      info.children = [first, BigThing(name: "big")]
      try graph.save(db, &info)
      #expect(try db.texts(rows) == ["3 x2", "4 big"])
    }
  }

  @Test func `records of a subclass are saved by key paths of the superclass`() throws {
    let graph = SavedGraph(\OwnerInfo<BigThing>.owner)
      .having(many: \.children, Owner.subclasses, key: \.ownerId, missing: .delete)
    try withShop(schema) { db, _ throws in
      var info = OwnerInfo(
        owner: try Owner.find(db, key: 1), children: [BigThing(name: "x"), BigThing(name: "y")])
      try graph.save(db, &info)
      #expect(info.children.map(\.id) == [3, 4])
      #expect(try db.texts("SELECT name FROM part WHERE ownerId = 1") == ["x", "y"])
    }
  }

  @Test func `a subclass with a table of its own is refused`() throws {
    class Animal: Record {
      var id: Int64?
      var ownerId: Int64?
      class override var databaseTableName: String { "part" }
      override func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["ownerId"] = ownerId
      }
    }
    final class Dog: Animal {
      class override var databaseTableName: String { "item" }
    }
    struct Keeper: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "owner"
      static let animals = hasMany(Animal.self)
      var id: Int64
    }
    struct Info {
      var keeper: Keeper
      var animals: [Animal]
    }
    let graph = SavedGraph(\Info.keeper)
      .having(many: \.animals, Keeper.animals, key: \.ownerId, missing: .delete)
    try withShop(schema) { db, _ throws in
      var info = Info(keeper: Keeper(id: 1), animals: [Dog()])
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.path == "owner.parts[0]")
      #expect(error?.message.contains("Dog is a subclass with a table of its own, item") == true)
    }
  }

  @Test func `types that ignore or replace conflicts throw them`() throws {
    struct Replacing: Codable, FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "book"
      static let persistenceConflictPolicy = PersistenceConflictPolicy(
        insert: .ignore, update: .replace)
      var id: Int64?
      var authorId: Int64?
      var title: String
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    struct Writer: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "author"
      static let books = hasMany(Replacing.self)
      var id: Int64
      var name: String
    }
    struct Info {
      var writer: Writer
      var books: [Replacing]
    }
    let graph = SavedGraph(\Info.writer)
      .having(many: \.books, Writer.books, key: \.authorId, missing: .keep)
    try withShop { db, _ throws in
      var info = Info(writer: Writer(id: 1, name: "Austen"), books: [Replacing(title: "Emma")])
      #expect(graphError { try graph.save(db, &info) }?.path == "author.books[0].title")
      info.books = [Replacing(id: 1, title: "Villette")]
      #expect(graphError { try graph.save(db, &info) }?.path == "author.books[0].title")
      #expect(try ShopBook.fetchCount(db) == 4)
    }
  }
}

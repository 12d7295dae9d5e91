import QuarryTestSupport
import Testing

@testable import Quarry

/// What callbacks were called, in order.
private final class CallbackLog {
  var calls: [String] = []
}

private struct Traced: Encodable, MutablePersistableRecord {
  static let databaseTableName = "author"

  var id: Int64?
  var name: String?
  let log = CallbackLog()

  private enum CodingKeys: CodingKey {
    case id, name
  }

  mutating func willInsert(_ db: Database) throws { log.calls.append("willInsert") }

  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    try surround("aroundInsert", insert)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
    log.calls.append(
      "didInsert \(inserted.rowID) \(inserted.rowIDColumn ?? "-") "
        + "\(inserted.persistenceContainer.map { "\($0)=\($1)" })")
  }

  func willUpdate(_ db: Database, columns: Set<String>) throws {
    log.calls.append("willUpdate \(columns.sorted())")
  }

  func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    try surround("aroundUpdate \(columns.sorted())", update)
  }

  func didUpdate(_ updated: PersistenceSuccess) {
    log.calls.append("didUpdate \(updated.persistenceContainer.map(\.0))")
  }

  func willSave(_ db: Database) throws { log.calls.append("willSave") }

  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    try surround("aroundSave", save)
  }

  func didSave(_ saved: PersistenceSuccess) {
    log.calls.append("didSave \(saved.persistenceContainer.map { "\($0)=\($1)" })")
  }

  func willDelete(_ db: Database) throws { log.calls.append("willDelete") }

  func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    try surround("aroundDelete", delete)
  }

  func didDelete(deleted: Bool) { log.calls.append("didDelete \(deleted)") }

  private func surround<Success>(_ name: String, _ action: () throws -> Success) throws {
    log.calls.append("\(name) {")
    do {
      _ = try action()
    } catch {
      log.calls.append("} \(name) failed")
      throw error
    }
    log.calls.append("}")
  }
}

@Suite(.onQueueAndPool)
struct CallbackTests {
  @Test func `Callbacks of an insertion`() throws {
    try inBookshop { db, _ throws in
      var record = Traced(name: "x")
      try record.insert(db)
      #expect(record.id == 4)
      #expect(
        record.log.calls == [
          "willSave", "aroundSave {", "willInsert", "aroundInsert {", "}",
          #"didInsert 4 id ["id=4", "name=\"x\""]"#, "}", #"didSave ["id=4", "name=\"x\""]"#,
        ])
    }
  }

  @Test func `Callbacks of an upsert are those of an insertion`() throws {
    try inBookshop { db, _ throws in
      var record = Traced(id: 1, name: "x")
      try record.upsert(db)
      #expect(
        record.log.calls == [
          "willSave", "aroundSave {", "willInsert", "aroundInsert {", "}",
          #"didInsert 1 id ["id=1", "name=\"x\""]"#, "}", #"didSave ["id=1", "name=\"x\""]"#,
        ])
    }
  }

  @Test func `Callbacks of an update`() throws {
    try inBookshop { db, _ throws in
      let record = Traced(id: 1, name: "x")
      try record.update(db, columns: ["NAME", "unknown"])
      #expect(
        record.log.calls == [
          "willSave", "aroundSave {", #"willUpdate ["NAME", "unknown"]"#,
          #"aroundUpdate ["NAME", "unknown"] {"#, "}", #"didUpdate ["id", "name"]"#, "}",
          #"didSave ["id=1", "name=\"x\""]"#,
        ])
      record.log.calls = []
      try record.update(db)
      #expect(record.log.calls.contains(#"willUpdate ["birthYear", "country", "id", "name"]"#))
    }
  }

  @Test func `Callbacks of a save that updates`() throws {
    try inBookshop { db, _ throws in
      var record = Traced(id: 1, name: "x")
      try record.save(db)
      #expect(
        record.log.calls.map { String($0.prefix(12)) } == [
          "willSave", "aroundSave {", "willUpdate [", "aroundUpdate", "}", "didUpdate [\"", "}",
          "didSave [\"id",
        ])
    }
  }

  @Test func `Callbacks of a save that inserts after an update in vain`() throws {
    try inBookshop { db, _ throws in
      var record = Traced(id: 12, name: "x")
      try record.save(db)
      let all = #"["birthYear", "country", "id", "name"]"#
      #expect(
        record.log.calls == [
          "willSave", "aroundSave {", "willUpdate \(all)", "aroundUpdate \(all) {",
          "} aroundUpdate \(all) failed", "willInsert", "aroundInsert {", "}",
          #"didInsert 12 id ["id=12", "name=\"x\""]"#, "}", #"didSave ["id=12", "name=\"x\""]"#,
        ])
    }
  }

  @Test func `Callbacks of a deletion, also of a record without key`() throws {
    try inBookshop { db, _ throws in
      let record = Traced(id: 3, name: nil)
      #expect(try record.delete(db))
      #expect(record.log.calls == ["willDelete", "aroundDelete {", "}", "didDelete true"])
      let keyless = Traced(id: nil, name: nil)
      #expect(try !keyless.delete(db))
      #expect(keyless.log.calls == ["willDelete", "aroundDelete {", "}", "didDelete false"])
    }
  }

  @Test func `A failed insertion has no did callbacks`() throws {
    try inBookshop { db, _ throws in
      var record = Traced(id: 1, name: "x")
      #expect(throws: DatabaseError.self) { try record.insert(db) }
      #expect(
        record.log.calls == [
          "willSave", "aroundSave {", "willInsert", "aroundInsert {", "} aroundInsert failed",
          "} aroundSave failed",
        ])
    }
  }

  @Test func `An ignored insertion calls didInsert`() throws {
    try inBookshop { db, _ throws in
      var first = Traced(name: "x")
      try first.insert(db)
      var record = Traced(id: 1, name: "x")
      try record.insert(db, onConflict: .ignore)
      #expect(record.id == first.id)
      #expect(record.log.calls.contains { $0.hasPrefix("didInsert 4 id") })
    }
  }

  @Test func `A skipped insertion does not call didInsert`() throws {
    try inBookshop { db, _ throws in
      try db.execute(
        sql: "CREATE TRIGGER skip BEFORE INSERT ON author BEGIN SELECT RAISE(IGNORE); END")
      var record = Traced(name: "x")
      try record.insert(db)
      #expect(
        record.log.calls == [
          "willSave", "aroundSave {", "willInsert", "aroundInsert {", "}", "}",
          #"didSave ["id=NULL", "name=\"x\""]"#,
        ])
    }
  }

  @Test func `A save that leaves its row as it is does not insert`() throws {
    try inBookshop { db, _ throws in
      try db.execute(sql: "CREATE UNIQUE INDEX authorName ON author(name)")
      var record = Traced(id: 1, name: "Ana Neves")
      try record.save(db, onConflict: .ignore)
      let all = #"["birthYear", "country", "id", "name"]"#
      #expect(
        record.log.calls == [
          "willSave", "aroundSave {", "willUpdate \(all)", "aroundUpdate \(all) {",
          "} aroundUpdate \(all) failed", "}", #"didSave ["id=1", "name=\"Ana Neves\""]"#,
        ])
    }
  }

  @Test func `The insertion reports the rowid of tables without integer key`() throws {
    struct Place: Encodable, PersistableRecord {
      static let databaseTableName = "country"
      var code: String
      let log = CallbackLog()
      private enum CodingKeys: CodingKey { case code }
      func didInsert(_ inserted: InsertionSuccess) {
        log.calls.append("\(inserted.rowID) \(inserted.rowIDColumn ?? "-")")
        log.calls.append("\(inserted.persistenceContainer.map(\.0))")
      }
    }
    try inBookshop { db, _ throws in
      let place = Place(code: "ES")
      try place.insert(db)
      #expect(place.log.calls == ["3 -", #"["code"]"#])
    }
  }

  @Test func `The rowid is added to a container without it`() throws {
    struct Named: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var name: String
      let log = CallbackLog()
      private enum CodingKeys: CodingKey { case name }
      func didInsert(_ inserted: InsertionSuccess) {
        log.calls.append("\(inserted.persistenceContainer.map { "\($0)=\($1)" })")
      }
    }
    try inBookshop { db, _ throws in
      for id in 4...6 {
        let record = Named(name: "x")
        try record.insert(db)
        #expect(record.log.calls == [#"["name=\"x\"", "id=\#(id)"]"#])
      }
      #expect(try Author.fetchCount(db) == 6)
    }
  }

  @Test func `A container that a callback keeps does not change`() throws {
    final class Keeper: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      let name: String
      var kept: [PersistenceContainer] = []
      private enum CodingKeys: CodingKey { case name }
      init(name: String) { self.name = name }
      func didInsert(_ inserted: InsertionSuccess) { kept.append(inserted.persistenceContainer) }
      func didSave(_ saved: PersistenceSuccess) { kept.append(saved.persistenceContainer) }
    }
    try inBookshop { db, _ throws in
      let keepers = ["a", "b", "c"].map(Keeper.init)
      for keeper in keepers { try keeper.insert(db) }
      for keeper in keepers {
        #expect(
          keeper.kept.map { $0["name"]?.databaseValue } == [
            keeper.name.databaseValue, keeper.name.databaseValue,
          ])
      }
    }
  }
}

@Suite(.onQueueAndPool)
struct AroundCallbackTests {
  private struct Careless: Encodable, PersistableRecord {
    static let databaseTableName = "author"
    var id = 1
    var name = "x"
    var careless = ""

    private enum CodingKeys: CodingKey { case id, name }

    func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
      if careless == "swallow" { _ = try? insert() }
    }
    func aroundUpdate(
      _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
    ) throws {}
    func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {}
    func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
      if careless != "save" { _ = try save() }
    }
  }

  private func message(_ callback: String) -> String {
    """
    Incorrect implementation of the `Careless.\(callback)` persistence callback: the action \
    function was not called, or its error was not rethrown.
    """
  }

  @Test func `A callback that does not call its action is reported`() throws {
    try inBookshop { db, recorder throws in
      var error = databaseError { try Careless().insert(db) }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message == message("aroundInsert"))
      error = databaseError { try Careless().update(db) }
      #expect(error?.message == message("aroundUpdate"))
      error = databaseError { try Careless().delete(db) }
      #expect(error?.message == message("aroundDelete"))
      error = databaseError { try Careless(careless: "save").save(db) }
      #expect(error?.message == message("aroundSave"))
      #expect(recorder.takeStatements() == [])
    }
  }

  @Test func `A callback that swallows the error of its action is reported`() throws {
    try inBookshop { db, _ throws in
      let error = databaseError { try Careless(careless: "swallow").insert(db) }
      #expect(error?.message == message("aroundInsert"))
    }
  }

  @Test func `An error of a callback prevents the write`() throws {
    struct Refusal: Error {}
    struct Refusing: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var id = 1
      func willInsert(_ db: Database) throws { throw Refusal() }
      func willUpdate(_ db: Database, columns: Set<String>) throws { throw Refusal() }
      func willDelete(_ db: Database) throws { throw Refusal() }
    }
    try inBookshop { db, recorder throws in
      #expect(throws: Refusal.self) { try Refusing().insert(db) }
      #expect(throws: Refusal.self) { try Refusing().update(db) }
      #expect(throws: Refusal.self) { try Refusing().save(db) }
      #expect(throws: Refusal.self) { try Refusing().delete(db) }
      #expect(throws: Refusal.self) { try Refusing().upsert(db) }
      #expect(recorder.takeStatements() == [])
    }
  }

  @Test func `An insertion inside of a callback of the same type works`() throws {
    struct Nested: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var name: String
      func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        if name == "outer" { try Nested(name: "inner").insert(db) }
        _ = try insert()
      }
    }
    try inBookshop { db, _ throws in
      try Nested(name: "outer").insert(db)
      #expect(
        try String.fetchAll(db, sql: "SELECT name FROM author WHERE id > 3 ORDER BY id")
          == ["inner", "outer"])
    }
  }
}

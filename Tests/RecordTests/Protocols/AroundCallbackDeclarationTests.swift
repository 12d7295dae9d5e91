import QuarryTestSupport
import Testing

@testable import Quarry

private protocol Audited: MutablePersistableRecord {}

extension Audited {
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws { _ = try save() }
}

// Types that have callbacks around insertions declare it, for `insert(contentsOf:)`.
@Suite(.onQueueAndPool)
struct AroundCallbackDeclarationTests {
  private struct Saving: Encodable, PersistableRecord {
    static let databaseTableName = "author"
    var name: String
    func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
      _ = try save()
    }
  }

  private struct Inserting: Encodable, PersistableRecord {
    static let databaseTableName = "author"
    var name: String
    func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
      // The error of the action is lost, too.
      _ = try? insert()
    }
  }

  private struct Extended: Encodable, Audited {
    static let databaseTableName = "author"
    var name: String
  }

  @Test func `A type that does not declare its callbacks around insertions gets an error`() throws {
    try inBookshop { db, _ throws in
      let errors = [
        databaseError { try Saving.insert(db, contentsOf: [Saving(name: "a")]) },
        databaseError { try Inserting.insert(db, contentsOf: [Inserting(name: "a")]) },
        databaseError { try Extended.inserted(db, contentsOf: [Extended(name: "a")]) },
      ]
      #expect(errors.map { $0?.resultCode } == Array(repeating: .SQLITE_MISUSE, count: 3))
      let message = """
        Saving has an `aroundSave` persistence callback, which insert(_:contentsOf:) can't call \
        around a statement that inserts many records: declare \
        `static var hasAroundCallbacks: Bool { true }` in Saving, so that they are inserted one \
        by one
        """
      #expect(errors[0]?.message == message)
      #expect(errors[1]?.message?.contains("Inserting has an `aroundInsert`") == true)
      #expect(errors[2]?.message?.contains("Extended has an `aroundSave`") == true)
      #expect(try Draft.fetchCount(db) == 3)
      // Again: the error is no matter of the first call.
      #expect(databaseError { try Saving.insert(db, contentsOf: [Saving(name: "a")]) } != nil)
      // Single insertions need no declaration.
      try Saving(name: "a").insert(db)
      #expect(try Draft.fetchCount(db) == 4)
    }
  }

  @Test func `A type whose callback calls the default one of another record has a callback`() throws
  {
    struct Guest: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var guest: Draft
      func encode(to container: inout PersistenceContainer) throws {
        try guest.encode(to: &container)
      }
      func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        try guest.aroundInsert(db, insert: insert)
      }
    }
    try inBookshop { db, _ throws in
      let error = databaseError { try Guest.insert(db, contentsOf: [Guest(guest: Draft())]) }
      #expect(error?.message?.contains("Guest has an `aroundInsert`") == true)
    }
  }

  @Test func `Subclasses may have callbacks where their superclass has none`() throws {
    class Person: Encodable, PersistableRecord {
      class var databaseTableName: String { "author" }
      class var hasAroundCallbacks: Bool { false }
      let name: String
      private enum CodingKeys: CodingKey { case name }
      init(_ name: String) { self.name = name }
      func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        _ = try insert()
      }
    }
    final class Declared: Person {
      var count = 0
      override class var hasAroundCallbacks: Bool { true }
      override func aroundInsert(
        _ db: Database, insert: () throws -> InsertionSuccess
      ) throws {
        count += 1
        try super.aroundInsert(db, insert: insert)
        count += 1
      }
    }
    try inBookshop { db, _ throws in
      let declared = [Declared("a"), Declared("b")]
      try Person.insert(db, contentsOf: declared)
      #expect(declared.map(\.count) == [2, 2])
      #expect(databaseError { try Person.insert(db, contentsOf: [Person("c")]) } != nil)
      #expect(try Draft.fetchCount(db) == 5)
    }
  }

  @Test func `A callback that forwards to another record is called for each record`() throws {
    enum Contributor: MutablePersistableRecord {
      case guest(Guest)
      case author(Draft)

      static let databaseTableName = "author"

      struct Guest: Encodable, MutablePersistableRecord {
        static let databaseTableName = "author"
        var name: String
      }

      func encode(to container: inout PersistenceContainer) throws {
        switch self {
        case .guest(let guest): try guest.encode(to: &container)
        case .author(let author): try author.encode(to: &container)
        }
      }

      mutating func willInsert(_ db: Database) throws {
        switch self {
        case .guest(var guest):
          try guest.willInsert(db)
          self = .guest(guest)
        case .author(var author):
          try author.willInsert(db)
          self = .author(author)
        }
      }

      mutating func didInsert(_ inserted: InsertionSuccess) {
        switch self {
        case .guest(var guest):
          guest.didInsert(inserted)
          self = .guest(guest)
        case .author(var author):
          author.didInsert(inserted)
          self = .author(author)
        }
      }

      var id: Int64? {
        if case .author(let author) = self { author.id } else { nil }
      }
    }
    try inBookshop { db, _ throws in
      for _ in 1...3 {
        var contributors: [Contributor] = [.guest(Contributor.Guest(name: "guest"))]
        contributors += (1...300).map { .author(Draft(name: "\($0)")) }
        let firstID = try Int64.fetchOne(db, sql: "SELECT max(id) + 2 FROM author") ?? 0
        try Contributor.insert(db, contentsOf: &contributors)
        #expect(contributors.compactMap(\.id) == (0..<300).map { firstID + $0 })
      }
    }
  }

  @Test func `Records are inserted under an existential`() throws {
    try inBookshop { db, _ throws in
      let records: [any PersistableRecord] = [
        Saving(name: "a"), HandWritten(id: 50, name: "b"), Country(code: "ES"),
      ]
      for record in records { try record.insert(db) }
      #expect(try Draft.fetchCount(db) == 5)
      #expect(try Country.exists(db, key: "ES"))
    }
  }
}

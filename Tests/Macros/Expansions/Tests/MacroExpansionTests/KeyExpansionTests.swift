import Testing

@Suite("Expansion of keys, and of records that are fetched only")
struct KeyExpansionTests {
  @Test(arguments: ["Int", "Int64", "String", "UUID", "String?", "Code"])
  func `a key that insertions can't set has no callback`(_ type: String) {
    expectExpansion(
      of: """
        @Record struct Ticket {
          @PrimaryKey var id: \(type)
        }
        """
    ) {
      """
      struct Ticket {
        var id: \(type)

        nonisolated enum Columns {
          static var id: TypedColumn<Ticket, \(type)> { .init("id") }
        }
      }

      nonisolated extension Ticket: FetchableRecord, TableRecord, MutablePersistableRecord, PersistableRecord, Identifiable, _GeneratedRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("id", \(type).self, isPrimaryKey: true),
          ]
        }

        init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.id = try row._decode(at: 0, or: "id", inOrder: isInOrder)
        }

        func encode(to container: inout Quarry.PersistenceContainer) throws {
          container._set("id", to: self.id)
        }
      }
      """
    }
  }

  @Test func `a key of another name is the id, and a table has another name`() {
    expectExpansion(
      of: """
        @Record("the \\"books\\"") public struct Book {
          @PrimaryKey @Column("the_code") let code: String
        }
        """
    ) {
      """
      public struct Book {
        let code: String

        nonisolated public enum Columns {
          static var code: TypedColumn<Book, String> { .init("the_code") }
        }
      }

      nonisolated extension Book: FetchableRecord, TableRecord, MutablePersistableRecord, PersistableRecord, Identifiable, _GeneratedRecord {
        public static var databaseTableName: String { "the \\"books\\"" }

        public static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("the_code", String.self, isPrimaryKey: true),
          ]
        }

        public init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.code = try row._decode(at: 0, or: "the_code", inOrder: isInOrder)
        }

        public func encode(to container: inout Quarry.PersistenceContainer) throws {
          container._set("the_code", to: self.code)
        }

        public var id: String { code }
      }
      """
    }
  }

  @Test func `a key with a coding is known to requests`() {
    expectExpansion(
      of: """
        @Record(readOnly: true) struct Issue {
          @PrimaryKey @Column("the_day", as: UnixSeconds.self) var day: Date
        }
        """
    ) {
      """
      struct Issue {
        var day: Date

        nonisolated enum Columns {
          static var day: TypedColumn<Issue, Date> { .init("the_day", as: UnixSeconds.self) }
        }
      }

      nonisolated extension Issue: FetchableRecord, TableRecord, Identifiable, _GeneratedRecord, _CodedKeyRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("the_day", Date.self, as: UnixSeconds.self, isPrimaryKey: true),
          ]
        }

        init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.day = try row._decode(by: UnixSeconds.self, at: 0, or: "the_day", inOrder: isInOrder)
        }

        var id: Date { day }

        static var _keyCoding: ValueCoding<Date> {
          TypedColumn<Self, Date>("the_day", as: UnixSeconds.self)
            .coding
        }
      }
      """
    }
  }

  @Test func `a key that is less visible than its record is no identity`() {
    expectExpansion(
      of: """
        @Record(readOnly: true) public struct Issue {
          @PrimaryKey @JSON var `id`: Self.Key
          static let id = 1
        }
        """
    ) {
      """
      public struct Issue {
        var `id`: Self.Key
        static let id = 1

        nonisolated public enum Columns {
          static var `id`: TypedColumn<Issue, Issue.Key> { .init("id", as: JSONText<Issue.Key>.self) }
        }
      }

      nonisolated extension Issue: FetchableRecord, TableRecord, _GeneratedRecord {
        public static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("id", Issue.Key.self, as: JSONText<Issue.Key>.self, isPrimaryKey: true),
          ]
        }

        public init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.`id` = try row._decode(by: JSONText<Issue.Key>.self, at: 0, or: "id", inOrder: isInOrder)
        }
      }
      """
    }
  }

  @Test func `a record that is fetched only is not encoded`() {
    expectExpansion(
      of: """
        @Record("sale", readOnly: true) struct Sale {
          var price: Int
        }
        """
    ) {
      """
      struct Sale {
        var price: Int

        nonisolated enum Columns {
          static var price: TypedColumn<Sale, Int> { .init("price") }
        }
      }

      nonisolated extension Sale: FetchableRecord, TableRecord, _GeneratedRecord {
        static var databaseTableName: String { "sale" }

        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("price", Int.self),
          ]
        }

        init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.price = try row._decode(at: 0, or: "price", inOrder: isInOrder)
        }
      }
      """
    }
  }
}

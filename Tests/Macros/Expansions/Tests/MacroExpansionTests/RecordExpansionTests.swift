import Testing

@Suite("Expansion of @Record")
struct RecordExpansionTests {
  @Test func `a structure is fetched, inserted, and gets its key from insertions`() {
    expectExpansion(
      of: """
        @Record struct Player {
          @PrimaryKey var id: Int64?
          var name: String
        }
        """
    ) {
      """
      struct Player {
        var id: Int64?
        var name: String

        nonisolated enum Columns {
          static var id: TypedColumn<Player, Int64?> { .init("id") }
          static var name: TypedColumn<Player, String> { .init("name") }
        }
      }

      nonisolated extension Player: FetchableRecord, TableRecord, MutablePersistableRecord, Identifiable, _GeneratedRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("id", Int64?.self, isPrimaryKey: true),
            _DeclaredColumn("name", String.self),
          ]
        }

        init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.id = try row._decode(at: 0, or: "id", inOrder: isInOrder)
          self.name = try row._decode(at: 1, or: "name", inOrder: isInOrder)
        }

        func encode(to container: inout Quarry.PersistenceContainer) throws {
          container._set("id", to: self.id)
          container._set("name", to: self.name)
        }

        mutating func didInsert(_ inserted: Quarry.InsertionSuccess) {
          if self.id != nil, inserted.rowIDColumn?.lowercased() != "id" { return }
          self.id = inserted.rowID
        }
      }
      """
    }
  }

  @Test func `a final class has a designated initializer, and insertions that don't mutate`() {
    expectExpansion(
      of: """
        @Record final class Player {
          @PrimaryKey var id: Int?
        }
        """
    ) {
      """
      final class Player {
        var id: Int?

        nonisolated enum Columns {
          static var id: TypedColumn<Player, Int?> { .init("id") }
        }

        nonisolated init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.id = try row._decode(at: 0, or: "id", inOrder: isInOrder)
        }
      }

      nonisolated extension Player: FetchableRecord, TableRecord, MutablePersistableRecord, PersistableRecord, Identifiable, _GeneratedRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("id", Int?.self, isPrimaryKey: true),
          ]
        }

        func encode(to container: inout Quarry.PersistenceContainer) throws {
          container._set("id", to: self.id)
        }

        func didInsert(_ inserted: Quarry.InsertionSuccess) {
          if self.id != nil, inserted.rowIDColumn?.lowercased() != "id" { return }
          self.id = Int(inserted.rowID)
        }
      }
      """
    }
  }

  @Test func `columns have other names and codings`() {
    expectExpansion(
      of: """
        @Record struct Event {
          @Column("created_at", as: UnixSeconds.self) var creation: Date
          @Column(as: UnixMilliseconds.self) var end: Date?
          @JSON @Column("all_tags") var tags: [String]
          @JSON var more: Set<Int>?
        }
        """
    ) {
      """
      struct Event {
        var creation: Date
        var end: Date?
        var tags: [String]
        var more: Set<Int>?

        nonisolated enum Columns {
          static var creation: TypedColumn<Event, Date> { .init("created_at", as: UnixSeconds.self) }
          static var end: TypedColumn<Event, Date?> { .init("end", as: UnixMilliseconds.self) }
          static var tags: TypedColumn<Event, [String]> { .init("all_tags", as: JSONText<[String]>.self) }
          static var more: TypedColumn<Event, Set<Int>?> { .init("more", as: JSONText<Set<Int>>.self) }
        }
      }

      nonisolated extension Event: FetchableRecord, TableRecord, MutablePersistableRecord, PersistableRecord, _GeneratedRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("created_at", Date.self, as: UnixSeconds.self),
            _DeclaredColumn("end", Date?.self, as: UnixMilliseconds.self),
            _DeclaredColumn("all_tags", [String].self, as: JSONText<[String]>.self),
            _DeclaredColumn("more", Set<Int>?.self, as: JSONText<Set<Int>>.self),
          ]
        }

        init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.creation = try row._decode(by: UnixSeconds.self, at: 0, or: "created_at", inOrder: isInOrder)
          self.end = try row._decodeIfPresent(by: UnixMilliseconds.self, at: 1, or: "end", inOrder: isInOrder)
          self.tags = try row._decode(by: JSONText<[String]>.self, at: 2, or: "all_tags", inOrder: isInOrder)
          self.more = try row._decodeIfPresent(by: JSONText<Set<Int>>.self, at: 3, or: "more", inOrder: isInOrder)
        }

        func encode(to container: inout Quarry.PersistenceContainer) throws {
          try container._set("created_at", to: self.creation, by: UnixSeconds.self)
          try container._set("end", to: self.end, by: UnixMilliseconds.self)
          try container._set("all_tags", to: self.tags, by: JSONText<[String]>.self)
          try container._set("more", to: self.more, by: JSONText<Set<Int>>.self)
        }
      }
      """
    }
  }

  @Test func `only stored properties have columns`() {
    expectExpansion(
      of: """
        @Record(readOnly: true) struct Page {
          static let shared = 1
          var words, lines: Int
          var `default`: Bool { didSet {} }
          @Ignored var isOpen = false
          @Ignored var draft: String?
          lazy var cache = 1
          var length: Int { words }
        }
        """
    ) {
      """
      struct Page {
        static let shared = 1
        var words, lines: Int
        var `default`: Bool { didSet {} }
        var isOpen = false
        var draft: String?
        lazy var cache = 1
        var length: Int { words }

        nonisolated enum Columns {
          static var words: TypedColumn<Page, Int> { .init("words") }
          static var lines: TypedColumn<Page, Int> { .init("lines") }
          static var `default`: TypedColumn<Page, Bool> { .init("default") }
        }
      }

      nonisolated extension Page: FetchableRecord, TableRecord, _GeneratedRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("words", Int.self),
            _DeclaredColumn("lines", Int.self),
            _DeclaredColumn("default", Bool.self),
          ]
        }

        init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.words = try row._decode(at: 0, or: "words", inOrder: isInOrder)
          self.lines = try row._decode(at: 1, or: "lines", inOrder: isInOrder)
          self.`default` = try row._decode(at: 2, or: "default", inOrder: isInOrder)
        }
      }
      """
    }
  }

  @Test func `members have the access of the type, and columns that of their properties`() {
    expectExpansion(
      of: """
        @available(macOS 14, *)
        @Record("all players") public struct Player {
          @PrimaryKey public let code: String
          public private(set) var name: String
          package var team: Int
          private var secret: Int
        }
        """
    ) {
      """
      @available(macOS 14, *)
      public struct Player {
        public let code: String
        public private(set) var name: String
        package var team: Int
        private var secret: Int

        nonisolated public enum Columns {
          public static var code: TypedColumn<Player, String> { .init("code") }
          public static var name: TypedColumn<Player, String> { .init("name") }
          package static var team: TypedColumn<Player, Int> { .init("team") }
          fileprivate static var secret: TypedColumn<Player, Int> { .init("secret") }
        }
      }

      @available(macOS 14, *)
      nonisolated extension Player: FetchableRecord, TableRecord, MutablePersistableRecord, PersistableRecord, Identifiable, _GeneratedRecord {
        public static var databaseTableName: String { "all players" }

        public static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("code", String.self, isPrimaryKey: true),
            _DeclaredColumn("name", String.self),
            _DeclaredColumn("team", Int.self),
            _DeclaredColumn("secret", Int.self),
          ]
        }

        public init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.code = try row._decode(at: 0, or: "code", inOrder: isInOrder)
          self.name = try row._decode(at: 1, or: "name", inOrder: isInOrder)
          self.team = try row._decode(at: 2, or: "team", inOrder: isInOrder)
          self.secret = try row._decode(at: 3, or: "secret", inOrder: isInOrder)
        }

        public func encode(to container: inout Quarry.PersistenceContainer) throws {
          container._set("code", to: self.code)
          container._set("name", to: self.name)
          container._set("team", to: self.team)
          container._set("secret", to: self.secret)
        }

        public var id: String { code }
      }
      """
    }
  }

  @Test func `what is written by hand is left alone`() {
    expectExpansion(
      of: """
        @Record("other") struct Player: FetchableRecord, MutablePersistableRecord {
          static let databaseTableName = "player"
          @PrimaryKey var id: Int64?
          enum Columns {}
          init(row: Row) {}
          func encode(to container: inout PersistenceContainer) {}
          mutating func didInsert(_ inserted: InsertionSuccess) {}
        }
        """, missing: ["TableRecord", "Identifiable", "_GeneratedRecord"]
    ) {
      """
      struct Player: FetchableRecord, MutablePersistableRecord {
        static let databaseTableName = "player"
        var id: Int64?
        enum Columns {}
        init(row: Row) {}
        func encode(to container: inout PersistenceContainer) {}
        mutating func didInsert(_ inserted: InsertionSuccess) {}
      }

      nonisolated extension Player: TableRecord, Identifiable, _GeneratedRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("id", Int64?.self, isPrimaryKey: true),
          ]
        }
      }
      """
    }
  }

  @Test func `a callback that mutates the record decides the protocol`() {
    expectExpansion(
      of: """
        @Record struct Player {
          var name: String
          mutating func willInsert(_ db: Database) {}
        }
        """
    ) {
      """
      struct Player {
        var name: String
        mutating func willInsert(_ db: Database) {}

        nonisolated enum Columns {
          static var name: TypedColumn<Player, String> { .init("name") }
        }
      }

      nonisolated extension Player: FetchableRecord, TableRecord, MutablePersistableRecord, _GeneratedRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("name", String.self),
          ]
        }

        init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.name = try row._decode(at: 0, or: "name", inOrder: isInOrder)
        }

        func encode(to container: inout Quarry.PersistenceContainer) throws {
          container._set("name", to: self.name)
        }
      }
      """
    }
  }
}

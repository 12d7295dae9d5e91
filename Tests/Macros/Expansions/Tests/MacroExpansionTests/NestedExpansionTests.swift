import Testing

@Suite("Expansion in an enclosing type")
struct NestedExpansionTests {
  @Test func `an extension names the types of properties by aliases that stand in the type`() {
    expectExpansion(
      of: """
        extension Shop {
          @Record(readOnly: true) public struct Title {
            @PrimaryKey var isbn: Code
            @JSON private var `tags`: [Tag]?
            @Column(as: Pence.self) public var price: Price
            @Embedded public var shelf: Shelf?
          }
        }
        """
    ) {
      """
      extension Shop {
        public struct Title {
          var isbn: Code
          private var `tags`: [Tag]?
          public var price: Price
          public var shelf: Shelf?

          nonisolated public enum _Types {
            public typealias type_isbn = Code
            fileprivate typealias type_tags = [Tag]
            fileprivate typealias coding_tags = JSONText<[Tag]>
            public typealias type_price = Price
            fileprivate typealias coding_price = Pence
            public typealias type_shelf = Shelf
          }

          nonisolated public enum Columns {
            static var isbn: TypedColumn<Title, Code> { .init("isbn") }
            fileprivate static var `tags`: TypedColumn<Title, [Tag]?> { .init("tags", as: JSONText<[Tag]>.self) }
            public static var price: TypedColumn<Title, Price> { .init("price", as: Pence.self) }
            public static var shelf: Shelf.OptionalColumns<Title> { .init(prefix: "shelf_") }
          }
        }
      }

      nonisolated extension Shop.Title: FetchableRecord, TableRecord, Identifiable, _GeneratedRecord {
        public static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("isbn", _Types.type_isbn.self, isPrimaryKey: true),
            _DeclaredColumn("tags", _Types.type_tags?.self, as: _Types.coding_tags.self),
            _DeclaredColumn("price", _Types.type_price.self, as: _Types.coding_price.self),
          ] + _Types.type_shelf?._columns(prefix: "shelf_")
        }

        public init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.isbn = try row._decode(at: 0, or: "isbn", inOrder: isInOrder)
          self.`tags` = try row._decodeIfPresent(by: _Types.coding_tags.self, at: 1, or: "tags", inOrder: isInOrder)
          self.price = try row._decode(by: _Types.coding_price.self, at: 2, or: "price", inOrder: isInOrder)
          self.shelf = try _Types.type_shelf?(
            row, from: 3, prefix: "shelf_", isInOrder: isInOrder)
        }

        public var id: _Types.type_isbn { isbn }
      }
      """
    }
  }

  @Test func `an embedded enumeration declares its columns by aliases`() {
    expectExpansion(
      of: """
        enum Shop {
          @Embeddable enum Mark {
            case genre(Genre?)
          }
        }
        """
    ) {
      """
      enum Shop {
        enum Mark {
          case genre(Genre?)

          nonisolated enum _Types {
            typealias type_genre = Genre
          }

          nonisolated enum Case: String, DatabaseValueConvertible, CaseIterable, Sendable {
            case genre
          }

          nonisolated struct EmbeddedColumns<_Record>: Sendable {
            let _prefix: String
            init(prefix: String) {
              self._prefix = prefix
            }
            var `case`: TypedColumn<_Record, Case> { .init(_prefix + "case") }
            var genre: TypedColumn<_Record, Genre?> { .init(_prefix + "genre") }
          }

          nonisolated struct OptionalColumns<_Record>: Sendable {
            let _prefix: String
            init(prefix: String) {
              self._prefix = prefix
            }
            var `case`: TypedColumn<_Record, Case?> { .init(_prefix + "case") }
            var genre: TypedColumn<_Record, Genre?> { .init(_prefix + "genre") }
          }
        }
      }

      nonisolated extension Shop.Mark: EmbeddableRecord {
        static var _columnCount: Int { 2 }

        static func _columns(prefix: String) -> [_DeclaredColumn] {
          [
            _DeclaredColumn(prefix + "case", Case.self),
            _DeclaredColumn(prefix + "genre", _Types.type_genre?.self),
          ]
        }

        init(
          _ row: Quarry.Row, from start: Int, prefix: @autoclosure () -> String, isInOrder: Bool
        ) throws {
          let name: Case = try row._decode(at: start, or: prefix() + "case", inOrder: isInOrder)
          switch name {
          case .genre:
            self = .genre(
              try row._decode(
                at: start + 1, or: prefix() + "genre", inOrder: isInOrder))
          }
        }

        func _encode(
          to container: inout Quarry.PersistenceContainer, prefix: String
        ) throws {
          switch self {
          case .genre(let value0):
            container._set(prefix + "case", to: Case.genre)
            container._set(prefix + "genre", to: value0)
          }
        }
      }
      """
    }
  }
}

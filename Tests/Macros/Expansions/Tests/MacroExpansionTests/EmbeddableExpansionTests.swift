import Testing

@Suite("Expansion of @Embeddable")
struct EmbeddableExpansionTests {
  @Test func `an embedded type has columns behind a prefix, and embeds others`() {
    expectExpansion(
      of: """
        @Embeddable public struct Address {
          public var street: String
          @Embedded public var place: Place?
          @Column(as: UppercaseText.self) var key: UUID
        }
        """
    ) {
      """
      public struct Address {
        public var street: String
        public var place: Place?
        var key: UUID

        nonisolated public struct EmbeddedColumns<_Record>: Sendable {
          public let _prefix: String
          public init(prefix: String) {
            self._prefix = prefix
          }
          public var street: TypedColumn<_Record, String> { .init(_prefix + "street") }
          public var place: Place.OptionalColumns<_Record> { .init(prefix: _prefix + "place_") }
          var key: TypedColumn<_Record, UUID> { .init(_prefix + "key", as: UppercaseText.self) }
        }

        nonisolated public struct OptionalColumns<_Record>: Sendable {
          public let _prefix: String
          public init(prefix: String) {
            self._prefix = prefix
          }
          public var street: TypedColumn<_Record, String?> { .init(_prefix + "street") }
          public var place: Place.OptionalColumns<_Record> { .init(prefix: _prefix + "place_") }
          var key: TypedColumn<_Record, UUID?> { .init(_prefix + "key", as: UppercaseText.self) }
        }
      }

      nonisolated extension Address: EmbeddableRecord {
        public static var _columnCount: Int { 2 + Place?._columnCount }

        public static func _columns(prefix: String) -> [_DeclaredColumn] {
          [
            _DeclaredColumn(prefix + "street", String.self),
          ] + Place?._columns(prefix: prefix + "place_") + [
            _DeclaredColumn(prefix + "key", UUID.self, as: UppercaseText.self),
          ]
        }

        public init(
          _ row: Quarry.Row, from start: Int, prefix: @autoclosure () -> String, isInOrder: Bool
        ) throws {
          self.street = try row._decode(at: start + 0, or: prefix() + "street", inOrder: isInOrder)
          self.place = try Place?(
            row, from: start + 1, prefix: prefix() + "place_", isInOrder: isInOrder)
          self.key = try row._decode(by: UppercaseText.self, at: start + 1 + Place?._columnCount, or: prefix() + "key", inOrder: isInOrder)
        }

        public func _encode(
          to container: inout Quarry.PersistenceContainer, prefix: String
        ) throws {
          container._set(prefix + "street", to: self.street)
          try self.place._encode(to: &container, prefix: prefix + "place_")
          try container._set(prefix + "key", to: self.key, by: UppercaseText.self)
        }
      }
      """
    }
  }

  @Test func `a record embeds types with a prefix of its own`() {
    expectExpansion(
      of: """
        @Record(readOnly: true) struct Customer {
          var name: String
          @Embedded var home: Address
          @Embedded(prefix: "w") var work: Address
          var age: Int
        }
        """
    ) {
      """
      struct Customer {
        var name: String
        var home: Address
        var work: Address
        var age: Int

        nonisolated enum Columns {
          static var name: TypedColumn<Customer, String> { .init("name") }
          static var home: Address.EmbeddedColumns<Customer> { .init(prefix: "home_") }
          static var work: Address.EmbeddedColumns<Customer> { .init(prefix: "w") }
          static var age: TypedColumn<Customer, Int> { .init("age") }
        }
      }

      nonisolated extension Customer: FetchableRecord, TableRecord, _GeneratedRecord {
        static var _columns: [_DeclaredColumn] {
          [
            _DeclaredColumn("name", String.self),
          ] + Address._columns(prefix: "home_") + Address._columns(prefix: "w") + [
            _DeclaredColumn("age", Int.self),
          ]
        }

        init(row: Quarry.Row) throws {
          let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)
          self.name = try row._decode(at: 0, or: "name", inOrder: isInOrder)
          self.home = try Address(
            row, from: 1, prefix: "home_", isInOrder: isInOrder)
          self.work = try Address(
            row, from: 1 + Address._columnCount, prefix: "w", isInOrder: isInOrder)
          self.age = try row._decode(at: 1 + Address._columnCount + Address._columnCount, or: "age", inOrder: isInOrder)
        }
      }
      """
    }
  }

  @Test func `an enumeration has a column for its case, and one for each associated value`() {
    expectExpansion(
      of: """
        @Embeddable public enum Payment {
          case cash
          case card(number: String, expiry: Date?), voucher(String)
        }
        """
    ) {
      """
      public enum Payment {
        case cash
        case card(number: String, expiry: Date?), voucher(String)

        nonisolated public enum Case: String, DatabaseValueConvertible, CaseIterable, Sendable {
          case cash
          case card
          case voucher
        }

        nonisolated public struct EmbeddedColumns<_Record>: Sendable {
          public let _prefix: String
          public init(prefix: String) {
            self._prefix = prefix
          }
          public var `case`: TypedColumn<_Record, Case> { .init(_prefix + "case") }
          public var cardNumber: TypedColumn<_Record, String?> { .init(_prefix + "cardNumber") }
          public var cardExpiry: TypedColumn<_Record, Date?> { .init(_prefix + "cardExpiry") }
          public var voucher: TypedColumn<_Record, String?> { .init(_prefix + "voucher") }
        }

        nonisolated public struct OptionalColumns<_Record>: Sendable {
          public let _prefix: String
          public init(prefix: String) {
            self._prefix = prefix
          }
          public var `case`: TypedColumn<_Record, Case?> { .init(_prefix + "case") }
          public var cardNumber: TypedColumn<_Record, String?> { .init(_prefix + "cardNumber") }
          public var cardExpiry: TypedColumn<_Record, Date?> { .init(_prefix + "cardExpiry") }
          public var voucher: TypedColumn<_Record, String?> { .init(_prefix + "voucher") }
        }
      }

      nonisolated extension Payment: EmbeddableRecord {
        public static var _columnCount: Int { 4 }

        public static func _columns(prefix: String) -> [_DeclaredColumn] {
          [
            _DeclaredColumn(prefix + "case", Case.self),
            _DeclaredColumn(prefix + "cardNumber", String?.self),
            _DeclaredColumn(prefix + "cardExpiry", Date?.self),
            _DeclaredColumn(prefix + "voucher", String?.self),
          ]
        }

        public init(
          _ row: Quarry.Row, from start: Int, prefix: @autoclosure () -> String, isInOrder: Bool
        ) throws {
          let name: Case = try row._decode(at: start, or: prefix() + "case", inOrder: isInOrder)
          switch name {
          case .cash:
            self = .cash
          case .card:
            self = .card(
              number: try row._decode(
                at: start + 1, or: prefix() + "cardNumber", inOrder: isInOrder),
              expiry: try row._decode(
                at: start + 2, or: prefix() + "cardExpiry", inOrder: isInOrder))
          case .voucher:
            self = .voucher(
              try row._decode(
                at: start + 3, or: prefix() + "voucher", inOrder: isInOrder))
          }
        }

        public func _encode(
          to container: inout Quarry.PersistenceContainer, prefix: String
        ) throws {
          switch self {
          case .cash:
            container._set(prefix + "case", to: Case.cash)
            container._set(prefix + "cardNumber", to: DatabaseValue.null)
            container._set(prefix + "cardExpiry", to: DatabaseValue.null)
            container._set(prefix + "voucher", to: DatabaseValue.null)
          case .card(let value0, let value1):
            container._set(prefix + "case", to: Case.card)
            container._set(prefix + "cardNumber", to: value0)
            container._set(prefix + "cardExpiry", to: value1)
            container._set(prefix + "voucher", to: DatabaseValue.null)
          case .voucher(let value0):
            container._set(prefix + "case", to: Case.voucher)
            container._set(prefix + "cardNumber", to: DatabaseValue.null)
            container._set(prefix + "cardExpiry", to: DatabaseValue.null)
            container._set(prefix + "voucher", to: value0)
          }
        }
      }
      """
    }
  }
}

import Foundation
import QuarryMacros
import QuarryMigrations
import Testing

enum Currency: String, Codable, DatabaseValueConvertible, CaseIterable {
  case euro, yen
}

@Embeddable enum Payment: Equatable {
  case cash
  case card(number: String, expiry: Date?)
  case voucher(String)
  case split(Int, Double)
  case `default`(in: Currency)
}

@Record struct Sale: Equatable {
  @PrimaryKey var id: Int64?
  @Embedded var payment: Payment
  @Embedded(prefix: "tip_") var tip: Payment?
  var price: Int
}

/// The columns of `Sale`, one by one.
struct SaleTwin: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var payment_case: String
  var payment_cardNumber: String?
  var payment_cardExpiry: Date?
  var payment_voucher: String?
  var payment_split0: Int?
  var payment_split1: Double?
  var payment_defaultIn: Currency?
  var tip_case: String?
  var tip_cardNumber: String?
  var tip_cardExpiry: Date?
  var tip_voucher: String?
  var tip_split0: Int?
  var tip_split1: Double?
  var tip_defaultIn: Currency?
  var price: Int

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension SaleTwin {
  init(payment: Payment, tip: Payment?, price: Int) {
    self.init(payment_case: payment.name, price: price)
    switch payment {
    case .cash: break
    case .card(let number, let expiry): (payment_cardNumber, payment_cardExpiry) = (number, expiry)
    case .voucher(let code): payment_voucher = code
    case .split(let parts, let share): (payment_split0, payment_split1) = (parts, share)
    case .default(let currency): payment_defaultIn = currency
    }
    tip_case = tip?.name
    switch tip {
    case .cash, nil: break
    case .card(let number, let expiry): (tip_cardNumber, tip_cardExpiry) = (number, expiry)
    case .voucher(let code): tip_voucher = code
    case .split(let parts, let share): (tip_split0, tip_split1) = (parts, share)
    case .default(let currency): tip_defaultIn = currency
    }
  }
}

extension Payment {
  fileprivate var name: String {
    switch self {
    case .cash: "cash"
    case .card: "card"
    case .voucher: "voucher"
    case .split: "split"
    case .default: "default"
    }
  }

  fileprivate static func random(_ values: inout RandomValues) -> Payment {
    switch Int.random(in: 0..<5, using: &values) {
    case 0: .cash
    case 1: .card(number: values.text(), expiry: values.maybe { $0.date() })
    case 2: .voucher(values.text())
    case 3: .split(values.int(), values.double())
    default: .default(in: values.element())
    }
  }
}

extension TwinTests {
  @Test func `enumerations with associated values`() throws {
    try check(
      """
      id INTEGER PRIMARY KEY, payment_case TEXT, payment_cardNumber TEXT, payment_cardExpiry TEXT,
      payment_voucher TEXT, payment_split0 INTEGER, payment_split1 REAL, payment_defaultIn TEXT,
      tip_case TEXT, tip_cardNumber TEXT, tip_cardExpiry TEXT, tip_voucher TEXT, tip_split0 INTEGER,
      tip_split1 REAL, tip_defaultIn TEXT, price INTEGER
      """
    ) { random in
      let payment = Payment.random(&random)
      let tip = random.maybe { Payment.random(&$0) }
      let price = random.int()
      return (
        Sale(payment: payment, tip: tip, price: price),
        SaleTwin(payment: payment, tip: tip, price: price)
      )
    }
  }
}

@Suite("Enumerations with associated values as columns")
struct EnumerationTests {
  private func withSales<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try Sale.createTable(db)
      for var sale in Self.sales { try sale.insert(db) }
      return try body(db)
    }
  }

  private static let sales = [
    Sale(id: 1, payment: .cash, tip: nil, price: 10),
    Sale(id: 2, payment: .card(number: "12", expiry: nil), tip: .cash, price: 20),
    Sale(id: 3, payment: .default(in: .yen), tip: .voucher("v"), price: 30),
  ]

  @Test func `the case and the associated values are typed columns`() throws {
    try withSales { db in
      let cards = Sale.filter { $0.payment.case == .card && $0.payment.cardNumber == "12" }
      let sql = try cards.sql(db)
      #expect(
        sql == """
          SELECT * FROM "sale" WHERE ("payment_case" = ?) AND ("payment_cardNumber" = ?)
          """)
      try #expect(cards.fetchAll(db) == [Self.sales[1]])
      try #expect(Sale.filter { $0.payment.defaultIn == .yen }.fetchAll(db) == [Self.sales[2]])
      try #expect(Sale.filter { $0.tip.case == .voucher }.fetchAll(db) == [Self.sales[2]])
      let cases = try Sale.order { $0.id }.select { $0.payment.case }.fetchAll(db)
      #expect(cases == [.cash, .card, .default])
      #expect(
        Payment.Case.allCases.map(\.rawValue) == ["cash", "card", "voucher", "split", "default"])
    }
  }

  @Test func `an update to another case clears the values of the one before`() throws {
    try withSales { db in
      var sale = Self.sales[1]
      sale.payment = .voucher("w")
      try sale.update(db)
      let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM sale WHERE id = 2"))
      #expect(row["payment_case"] == "voucher" && row["payment_voucher"] == "w")
      #expect(row["payment_cardNumber"] == DatabaseValue.null)
      try #expect(Sale.find(db, id: 2) == sale)
    }
  }

  @Test func `an unknown case is an error that names the column`() throws {
    try withSales { db in
      try db.execute(sql: "UPDATE sale SET payment_case = 'barter' WHERE id = 1")
      let error = #expect(throws: RowDecodingError.self) { try Sale.find(db, id: 1) }
      #expect(error?.description.contains("column: \"payment_case\"") == true)
    }
  }

  @Test func `an associated value that is missing is an error that names the column`() throws {
    try withSales { db in
      try db.execute(sql: "UPDATE sale SET payment_cardNumber = NULL")
      let error = #expect(throws: RowDecodingError.self) { try Sale.find(db, id: 2) }
      #expect(error?.description.contains("column: \"payment_cardNumber\"") == true)
    }
  }

  @Test func `the table has a column for each value`() throws {
    try withSales { db in
      let columns = try db.columns(in: "sale").prefix(4)
      #expect(
        columns.map(\.name) == ["id", "payment_case", "payment_cardNumber", "payment_cardExpiry"])
      #expect(columns.map(\.isNotNull) == [false, true, false, false])
      #expect(columns.map(\.type) == ["INTEGER", "TEXT", "TEXT", "DATETIME"])
      try #expect(db.schemaDifferences(of: [Sale.self]).isEmpty)
    }
  }
}

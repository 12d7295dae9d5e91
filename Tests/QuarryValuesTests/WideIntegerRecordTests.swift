import Foundation
import Quarry
import QuarryTestSupport
import QuarryValues
import Testing

@Suite("Integers of 128 bits in records")
struct WideIntegerRecordTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private struct Account: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    var balance: Int128
    var limit: Int128?
    var serial: UInt128
    var former: UInt128?
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private struct HandWritten: FetchableRecord, PersistableRecord {
    static let databaseTableName = "account"
    var id: Int64
    var balance: Int128
    var limit: Int128?

    init(row: Row) throws {
      id = row["id"]
      balance = row["balance"]
      limit = try row.decode(forColumn: "limit")
    }

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["balance"] = balance
      container["limit"] = limit
    }
  }

  private func makeDatabase() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(table: "account") { t in
        t.primaryKey("id", .integer)
        for name in ["balance", "limit", "serial", "former"] { t.column(name, .blob) }
      }
    }
    return queue
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `random records come back`() throws {
    let run = RandomRun("records with integers of 128 bits")
    var random = run.generator
    func number() -> Int128 {
      Int128(bitPattern: UInt128(random.next()) << 64 | UInt128(random.next())) >> random.below(128)
    }
    try makeDatabase().write { db in
      for id in 0..<200 {
        let account = Account(
          id: Int64(id), balance: number(), limit: random.chance(2) ? nil : number(),
          serial: UInt128(bitPattern: number()),
          former: random.chance(2) ? nil : UInt128(bitPattern: number()))
        try account.insert(db)
        let comment: Comment = "\(account), seed \(run.seed)"
        #expect(try Account.fetchOne(db, key: id) == account, comment)
        #expect(try Account.filter { _ in Column("balance") == account.balance }.fetchCount(db) > 0)
        var hand = try #require(try HandWritten.fetchOne(db, key: id))
        #expect(hand.balance == account.balance && hand.limit == account.limit, comment)
        #expect(try hand.updateChanges(db) { $0.balance = account.balance } == false, comment)
      }
      let sorted = try Account.order(Column("balance")).fetchAll(db).map(\.balance)
      #expect(sorted == sorted.sorted(), "seed \(run.seed)")
    }
  }

  /// A value that is one number.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private struct Cents: Codable, Equatable, DatabaseValueConvertible {
    var number: Int128

    init(_ number: Int128) { self.number = number }

    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int128.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  /// The same as a type that only a record stores.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private struct Serial: Codable, Equatable {
    var number: UInt128

    init(_ number: UInt128) { self.number = number }

    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(UInt128.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private struct Wallet: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "account"
    var id: Int64
    var balance: Cents
    var serial: Serial
    var former: Serial?
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `values of one number are that number`() throws {
    #expect(Cents(5).databaseValue == Int128(5).databaseValue)
    #expect(Cents.fromDatabaseValue(Int128(6).databaseValue) == Cents(6))
    try makeDatabase().write { db throws in
      let wallets = [
        Wallet(id: 1, balance: Cents(-7), serial: Serial(.max), former: nil),
        Wallet(id: 2, balance: Cents(.max), serial: Serial(0), former: Serial(8)),
      ]
      for wallet in wallets { try wallet.insert(db) }
      #expect(try Wallet.order(Column("id")).fetchAll(db) == wallets)
      #expect(
        try Int128.fetchAll(db, sql: "SELECT balance FROM account ORDER BY id") == [-7, .max])
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `the properties of a record type are known`() {
    let probe = PropertyProbe(Account.self)
    #expect(probe.properties.map(\.name) == ["id", "balance", "limit", "serial", "former"])
    #expect(probe.properties.map(\.isOptional) == [false, false, true, false, true])
    #expect(probe.failure == nil)
  }

  private struct Holder: TableRecord {
    static let databaseTableName = "account"
    static let payments = hasMany(Payment.self)
  }

  private struct Payment: TableRecord {}

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private struct Payments: Decodable, FetchableRecord {
    struct Numbers: Decodable {
      var signed: Int128
      var unsigned: UInt128

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        signed = try container.decode(Int128.self)
        unsigned = try container.decode(UInt128.self)
      }
    }

    var id: Int64
    var payments: Numbers
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `prefetched numbers are read one after the other`() throws {
    try makeDatabase().write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE payment (
            id INTEGER PRIMARY KEY, amount BLOB, accountId INTEGER REFERENCES account);
          INSERT INTO account (id) VALUES (1);
          """)
      try db.execute(
        sql: "INSERT INTO payment (amount, accountId) VALUES (?, 1), (?, 1)",
        arguments: [Int128(-4), UInt128(3)])
      let payments = Holder.payments.select(Column("amount")).order(Column("id"))
      let request = Holder.including(all: payments).asRequest(of: Payments.self)
      let numbers = try #require(try request.fetchOne(db)).payments
      #expect(numbers.signed == -4)
      #expect(numbers.unsigned == 3)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `a wrong column names the record and the column`() throws {
    try makeDatabase().write { db in
      try Account(id: 1, balance: 1, limit: nil, serial: 1, former: nil).insert(db)
      try db.execute(sql: "UPDATE account SET balance = x'00'")
      for text in [
        errorText { try Account.fetchOne(db) }, errorText { try HandWritten.fetchOne(db) },
      ] {
        #expect(text?.contains("could not decode Int128 from database value Data(1 bytes)") == true)
        #expect(text?.contains(#"column: "balance""#) == true, "\(text ?? "")")
      }
      try db.execute(sql: "UPDATE account SET balance = NULL")
      #expect(throws: RowDecodingError.self) { try Account.fetchOne(db) }
    }
  }
}

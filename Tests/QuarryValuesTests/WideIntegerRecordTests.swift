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

public import Foundation

// What an application does all day: pages, screens, searches, saves, and values that have no
// storage class of their own.

extension Dataset {
  public static let pageCount = 2_000
  public static let pageSize = 50
  public static let screenCount = 5_000
  public static let bookSearchCount = 5_000
  public static let bookSearchLimit = 20
  public static let transactionCount = 1_000
  public static let updateCount = 20_000
  public static let saveCount = 20_000
  public static let receiptCount = 20_000
  public static let venueCount = 20_000
  public static let openingCount = 20
  /// The year since when a screen counts books a second time.
  public static let recentYear = 1950

  public static let daySchema = [
    "CREATE INDEX player_on_score ON player(score)",
    receiptTable("receipt"),
    receiptTable("newReceipt"),
    "CREATE TABLE venue(id INTEGER PRIMARY KEY, address TEXT NOT NULL)",
    "CREATE TABLE newVenue(id INTEGER PRIMARY KEY, address TEXT NOT NULL)",
  ]

  private static func receiptTable(_ name: String) -> String {
    """
    CREATE TABLE \(name)(
      id INTEGER PRIMARY KEY, code BLOB NOT NULL, paidAt TEXT NOT NULL, refundedAt TEXT,
      price TEXT NOT NULL)
    """
  }

  /// Brings `newLoan` into the state that the updates expect.
  public static let updatableLoans = [
    "DELETE FROM newLoan",
    "INSERT INTO newLoan SELECT * FROM loan WHERE id <= \(updateCount)",
  ]

  /// Brings `newcomer` into the state that the saves expect: every other record exists.
  public static let savedNewcomers = [
    "DELETE FROM newcomer",
    """
    INSERT INTO newcomer SELECT id, name, team, 0, rating, email FROM player
    WHERE id <= \(saveCount) AND id % 2 = 1
    """,
  ]

  /// Where a page begins: users look at the first ones.
  public static func pageOffset(_ number: Int) -> Int {
    number % 20 * pageSize
  }

  public static let screenKeys: [Int64] = {
    var random = SplitMix(seed: 10)
    return (0..<screenCount).map { _ in Int64(1 + random.below(authorCount)) }
  }()

  /// Each combination of one to three filters, in turn.
  public static let bookSearches: [BookSearch] = {
    var random = SplitMix(seed: 11)
    return (0..<bookSearchCount).map { number in
      let filters = 1 + number % 7
      let authorId = Int64(1 + random.below(authorCount))
      let publisherId = Int64(1 + random.below(publisherCount))
      let year = 1850 + random.below(150)
      return BookSearch(
        authorId: filters & 1 != 0 ? authorId : nil,
        publisherId: filters & 2 != 0 ? publisherId : nil,
        year: filters & 4 != 0 ? year : nil)
    }
  }()

  /// New values of one column, by key, in no order.
  public static let updatedLoans: [LoanFacts] = {
    var random = SplitMix(seed: 12)
    let loans = Self.loans(count: updateCount)
    return (0..<updateCount).map { number in
      let loan = loans[number * 7_919 % updateCount]
      return LoanFacts(
        id: loan.id, memberId: loan.memberId, shelf: loan.shelf, days: 100 + random.below(100))
    }
  }()

  /// What the lines `save` save.
  public static let savedPlayers = Array(newcomers.prefix(saveCount))

  public static let receipts: [ReceiptFacts] = {
    var random = SplitMix(seed: 13)
    return (1...receiptCount).map { number in
      let milliseconds = 946_684_800_000 + random.below(1_000_000_000) * 1_000 + random.below(1_000)
      let paidAt = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
      let isRefunded = random.below(4) == 0
      return ReceiptFacts(
        id: Int64(number), code: uuid(&random), paidAt: paidAt,
        refundedAt: isRefunded ? paidAt + Double(random.below(1_000_000)) : nil,
        price: Decimal(random.below(1_000_000)) / 100)
    }
  }()

  private static func uuid(_ random: inout SplitMix) -> UUID {
    func byte() -> UInt8 { UInt8(random.below(256)) }
    return UUID(
      uuid: (
        byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(),
        byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte()
      ))
  }

  public static let venues: [VenueFacts] = (1...venueCount).map { number in
    VenueFacts(
      id: Int64(number),
      address: Address(
        street: "\(number), rue des Lilas", city: "Lyon", floors: [number % 7, number % 11]))
  }
}

/// What a user has typed into a search form.
public struct BookSearch: Sendable {
  public let authorId: Int64?
  public let publisherId: Int64?
  public let year: Int?
}

/// A row of `receipt` or of `newReceipt`.
public struct ReceiptFacts: ReceiptValues, Sendable {
  public let id: Int64
  public let code: UUID
  public let paidAt: Date
  public let refundedAt: Date?
  public let price: Decimal
}

/// A row of `venue` or of `newVenue`.
public struct VenueFacts: VenueValues, Sendable {
  public let id: Int64
  public let address: Address
}

/// What stands in a JSON column.
public struct Address: Codable, Sendable {
  public var street: String
  public var city: String
  public var floors: [Int]
}

extension Dataset {
  /// The file with many tables, which the line `open` opens.
  public static func manyTablesPath(beside path: String) -> String {
    path + "-tables"
  }
}

import Foundation
import QuarryMacros
import Testing

private let day = Date(timeIntervalSince1970: 0)

@Suite("Filters of an application")
struct FilterTests {
  private func check<Record: FetchableRecord & TableRecord>(
    _ requests: [QueryInterfaceRequest<Record>], count: Int
  ) throws {
    #expect(requests.count == count)
    try DatabaseQueue().inDatabase { db in
      for table in Self.tables { try table(db) }
      for request in requests { try #expect(request.fetchAll(db).isEmpty) }
    }
  }

  private static var tables: [(Database) throws -> Void] {
    [
      { try Writer.createTable($0) },
      {
        try $0.execute(
          sql: """
            CREATE TABLE novel (
              id INTEGER PRIMARY KEY, title TEXT, subtitle TEXT, writerId INTEGER REFERENCES writer,
              year INTEGER, pages INTEGER, price REAL, discount REAL, stock INTEGER,
              isOrdered BOOLEAN, language TEXT, publishedAt TEXT);
            CREATE TABLE opinion (
              id INTEGER PRIMARY KEY, novelId INTEGER REFERENCES novel,
              readerId INTEGER REFERENCES reader, stars INTEGER, text TEXT, writtenAt TEXT);
            CREATE TABLE purchase (
              id INTEGER PRIMARY KEY, code BLOB, readerId INTEGER REFERENCES reader, state TEXT,
              shipping REAL, orderedAt TEXT, paidAt TEXT, sentAt TEXT);
            CREATE TABLE position (
              id INTEGER PRIMARY KEY, novelId INTEGER REFERENCES novel,
              purchaseId INTEGER REFERENCES purchase, count INTEGER, unitPrice REAL, discount REAL);
            """)
      },
      { try Reader.createTable($0) },
    ]
  }

  @Test func `filters of novels are statements`() throws {
    try check(
      [
        NovelFilters.byTitle("a"),
        NovelFilters.since(1),
        NovelFilters.ofDecade(1),
        NovelFilters.ofYears(1...2),
        NovelFilters.between(1, 1),
        NovelFilters.inStock(),
        NovelFilters.soldOut(),
        NovelFilters.scarce(),
        NovelFilters.titled("a"),
        NovelFilters.named("a"),
        NovelFilters.withSubtitle(),
        NovelFilters.withoutSubtitle(),
        NovelFilters.titleIs("a"),
        NovelFilters.shortTitles(),
        NovelFilters.lowercasedTitle("a"),
        NovelFilters.cheap(1),
        NovelFilters.reduced(),
        NovelFilters.reducedBelow(1),
        NovelFilters.reducedTo(1, 1),
        NovelFilters.pricePerPage(1),
        NovelFilters.valueOfStock(1),
        NovelFilters.netValueOfStock(1),
        NovelFilters.thick(),
        NovelFilters.thin(),
        NovelFilters.inLanguage(.french),
        NovelFilters.inLanguages([.french]),
        NovelFilters.foreign(),
        NovelFilters.european(),
        NovelFilters.notIn([1]),
        NovelFilters.withIDs([1]),
        NovelFilters.byKeys([1]),
        NovelFilters.publishedSince(day),
        NovelFilters.publishedWithin(1),
        NovelFilters.publishedInMonth(day, day),
        NovelFilters.ageInDays(1),
        NovelFilters.search("a", .french, 1),
        NovelFilters.searchOptional("a", 1),
        NovelFilters.recommended(),
        NovelFilters.window(),
        NovelFilters.reorder(),
        NovelFilters.clearance(1),
        NovelFilters.roundPrices(),
        NovelFilters.recentCenturies(),
        NovelFilters.lateCentury(),
        NovelFilters.bargain(),
        NovelFilters.farFrom(1),
        NovelFilters.mean(),
        NovelFilters.newest(),
        NovelFilters.ofWriter(1),
        NovelFilters.ofCountry("a"),
        NovelFilters.ofLivingWriters(),
        NovelFilters.ofYoungWriters(day),
        NovelFilters.wellReviewed(),
        NovelFilters.oftenReviewed(),
        NovelFilters.neverReviewed(),
        NovelFilters.neverSold(),
        NovelFilters.bestSellers(1),
        NovelFilters.turnover(1),
        NovelFilters.sold(1, 1),
        NovelFilters.byWriterNamed("a"),
      ], count: 60)
  }

  @Test func `filters of writers are statements`() throws {
    try check(
      [
        WriterFilters.byName("a"),
        WriterFilters.alive(),
        WriterFilters.dead(day),
        WriterFilters.lived(1),
        WriterFilters.free(day),
        WriterFilters.fromCountries(["a"]),
        WriterFilters.unknownCountry(),
        WriterFilters.prolific(),
        WriterFilters.withRecentNovels(1),
        WriterFilters.withThickNovels(),
      ], count: 10)
  }

  @Test func `filters of opinions are statements`() throws {
    try check(
      [
        OpinionFilters.good(),
        OpinionFilters.extreme(),
        OpinionFilters.long(),
        OpinionFilters.recent(day),
        OpinionFilters.ofNovel(1, 1),
        OpinionFilters.ofReaders([1]),
        OpinionFilters.aboutLanguage(.french),
        OpinionFilters.suspicious(day),
      ], count: 8)
  }

  @Test func `filters of readers are statements`() throws {
    try check(
      [
        ReaderFilters.byEmail("a"),
        ReaderFilters.byFullName("a"),
        ReaderFilters.named("a"),
        ReaderFilters.inCities(["a"]),
        ReaderFilters.loyal(day),
        ReaderFilters.newsletter(),
        ReaderFilters.joinedSince("a"),
        ReaderFilters.withoutPurchase(),
        ReaderFilters.active(1),
        ReaderFilters.gold(),
      ], count: 10)
  }

  @Test func `filters of purchases are statements`() throws {
    try check(
      [
        PurchaseFilters.open(),
        PurchaseFilters.unpaid(day),
        PurchaseFilters.toSend(),
        PurchaseFilters.late(),
        PurchaseFilters.byCode(UUID()),
        PurchaseFilters.ofReader(1, [.paid]),
        PurchaseFilters.expensive(1),
        PurchaseFilters.freeShipping(),
        PurchaseFilters.ofCity("a", day),
      ], count: 9)
  }

  @Test func `filters of positions are statements`() throws {
    try check(
      [
        PositionFilters.large(),
        PositionFilters.wrongPrices(),
        PositionFilters.ofNovels([1], 1),
      ], count: 3)
  }
}

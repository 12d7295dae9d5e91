import Foundation
import QuarryMacros

// 100 filters as an application has them, with typed columns: the first ones of
// Benchmarks/Studies/Application. An expression that takes the compiler more than 200 ms is a
// warning here, and so an error.

enum NovelFilters {
  static func byTitle(_ title: String) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.title == title }
  }

  static func since(_ year: Int) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.year >= year }
  }

  static func ofDecade(_ start: Int) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.year >= start && $0.year < start + 10 }
  }

  static func ofYears(_ years: ClosedRange<Int>) -> QueryInterfaceRequest<Novel> {
    Novel.filter { years.contains($0.year) }
  }

  static func between(_ first: Int, _ last: Int) -> QueryInterfaceRequest<Novel> {
    Novel.filter { (first...last).contains($0.year) }
  }

  static func inStock() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.stock > 0 }
  }

  static func soldOut() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.stock == 0 && !$0.isOrdered }
  }

  static func scarce() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.stock <= 3 && $0.stock > 0 || $0.isOrdered }
  }

  static func titled(_ prefix: String) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.title.like("\(prefix)%") }
  }

  static func named(_ words: String) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.title.like("%\(words)%") || $0.subtitle.like("%\(words)%") }
  }

  static func withSubtitle() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.subtitle != nil && $0.subtitle != "" }
  }

  static func withoutSubtitle() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.subtitle == nil || length($0.subtitle) == 0 }
  }

  static func titleIs(_ title: String) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.title.collating(.nocase) == title }
  }

  static func shortTitles() -> QueryInterfaceRequest<Novel> {
    Novel.filter { length($0.title) < 12 }
  }

  static func lowercasedTitle(_ title: String) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.title.lowercased == title.lowercased() }
  }

  static func cheap(_ limit: Double) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.price < limit }
  }

  static func reduced() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.discount != nil && $0.discount > 0 }
  }

  static func reducedBelow(_ limit: Double) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.price * (1 - ($0.discount ?? 0)) < limit }
  }

  static func reducedTo(_ low: Double, _ high: Double) -> QueryInterfaceRequest<Novel> {
    Novel.filter {
      $0.price - $0.price * ($0.discount ?? 0.0) >= low
        && $0.price - $0.price * ($0.discount ?? 0.0) <= high
    }
  }

  static func pricePerPage(_ limit: Double) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.price / $0.pages.asDouble < limit }
  }

  static func valueOfStock(_ minimum: Double) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.price * $0.stock.asDouble >= minimum }
  }

  static func netValueOfStock(_ minimum: Double) -> QueryInterfaceRequest<Novel> {
    Novel.filter { ($0.price / 1.07 - 2.5) * $0.stock.asDouble >= minimum }
  }

  static func thick() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.pages > 600 }
  }

  static func thin() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.pages < 150 && $0.price < 10 }
  }

  static func inLanguage(_ language: Language) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.language == language }
  }

  static func inLanguages(_ languages: [Language]) -> QueryInterfaceRequest<Novel> {
    Novel.filter { languages.contains($0.language) }
  }

  static func foreign() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.language != Language.english }
  }

  static func european() -> QueryInterfaceRequest<Novel> {
    Novel.filter { [Language.french, .german, .spanish].contains($0.language) }
  }

  static func notIn(_ years: [Int]) -> QueryInterfaceRequest<Novel> {
    Novel.filter { !years.contains($0.year) }
  }

  static func withIDs(_ ids: Set<Int64>) -> QueryInterfaceRequest<Novel> {
    Novel.filter { ids.contains($0.id) }
  }

  static func byKeys(_ ids: [Int64]) -> QueryInterfaceRequest<Novel> {
    Novel.filter(keys: ids).filter { $0.stock > 0 }
  }

  static func publishedSince(_ date: Date) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.publishedAt >= date }
  }

  static func publishedWithin(_ days: Double) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.publishedAt > Date().addingTimeInterval(-days * 86_400) }
  }

  static func publishedInMonth(_ start: Date, _ end: Date) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.publishedAt >= start && $0.publishedAt < end && $0.stock > 0 }
  }

  static func ageInDays(_ days: Int) -> QueryInterfaceRequest<Novel> {
    Novel.filter { julianDay(Date().databaseValue) - julianDay($0.publishedAt.untyped) > days }
  }

  static func search(_ words: String, _ language: Language, _ limit: Double)
    -> QueryInterfaceRequest<Novel>
  {
    Novel.filter { $0.title.like("%\(words)%") && $0.language == language && $0.price <= limit }
  }

  static func searchOptional(_ words: String?, _ since: Int?) -> QueryInterfaceRequest<Novel> {
    Novel.filter {
      ((words == nil).sqlExpression || $0.title.like("%\(words ?? "")%")) && $0.year >= since ?? 0
    }
  }

  static func recommended() -> QueryInterfaceRequest<Novel> {
    Novel.filter {
      $0.stock > 5 && $0.year > 2015 && $0.price < 20 && $0.language == Language.english
    }
  }

  static func window() -> QueryInterfaceRequest<Novel> {
    Novel.filter {
      ($0.year > 2020 && $0.stock >= 10) || ($0.discount > 0.3 && $0.stock >= 50) || $0.isOrdered
    }
  }

  static func reorder() -> QueryInterfaceRequest<Novel> {
    Novel.filter {
      ($0.stock < 5 && $0.price < 30 || $0.stock < 2) && !$0.isOrdered && $0.year >= 2000
    }
  }

  static func clearance(_ year: Int) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.year < year && $0.stock > 20 && ($0.discount ?? 0) < 0.2 }
  }

  static func roundPrices() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.price == 10 || $0.price == 20 }
  }

  static func recentCenturies() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.year / 100 >= 19 }
  }

  static func lateCentury() -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.year / 100 == 19 && $0.year >= 1_950 }
  }

  static func bargain() -> QueryInterfaceRequest<Novel> {
    Novel.filter {
      $0.price * (1 - ($0.discount ?? 0)) / $0.pages.asDouble < 0.02 && $0.pages > 100
    }
  }

  static func farFrom(_ price: Double) -> QueryInterfaceRequest<Novel> {
    Novel.filter { abs($0.price - price) > 5 }
  }

  static func mean() -> QueryInterfaceRequest<Novel> {
    Novel.filter(Column("price") > Novel.select(average(Column("price"))))
  }

  static func newest() -> QueryInterfaceRequest<Novel> {
    Novel.filter(Column("year") == Novel.select(max(Column("year"))))
  }

  static func ofWriter(_ id: Int64) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.writerId == id && $0.stock > 0 }
  }

  static func ofCountry(_ country: String) -> QueryInterfaceRequest<Novel> {
    Novel.filter { Writer.filter { $0.country == country }.select { $0.id }.contains($0.writerId) }
  }

  static func ofLivingWriters() -> QueryInterfaceRequest<Novel> {
    Novel.joining(required: Novel.writer.filter { $0.diedAt == nil })
  }

  static func ofYoungWriters(_ date: Date) -> QueryInterfaceRequest<Novel> {
    Novel.joining(required: Novel.writer.filter { $0.bornAt > date && $0.diedAt == nil }).filter {
      $0.year > 2010
    }
  }

  static func wellReviewed() -> QueryInterfaceRequest<Novel> {
    Novel.having(Novel.opinions.average(Column("stars")) >= 4)
  }

  static func oftenReviewed() -> QueryInterfaceRequest<Novel> {
    Novel.having(Novel.opinions.count > 10 && Novel.opinions.average(Column("stars")) >= 3.5)
  }

  static func neverReviewed() -> QueryInterfaceRequest<Novel> {
    Novel.having(Novel.opinions.isEmpty)
  }

  static func neverSold() -> QueryInterfaceRequest<Novel> {
    Novel.having(Novel.positions.isEmpty).filter { $0.stock > 0 }
  }

  static func bestSellers(_ minimum: Int) -> QueryInterfaceRequest<Novel> {
    Novel.having(Novel.positions.sum(Column("count")) >= minimum)
  }

  static func turnover(_ minimum: Double) -> QueryInterfaceRequest<Novel> {
    Novel.having(Novel.positions.sum(Column("count") * Column("unitPrice")) >= minimum)
  }

  static func sold(_ minimum: Int, _ year: Int) -> QueryInterfaceRequest<Novel> {
    Novel.filter { $0.year >= year }.having(Novel.positions.count >= minimum)
  }

  static func byWriterNamed(_ name: String) -> QueryInterfaceRequest<Novel> {
    Novel.including(required: Novel.writer.filter { $0.name.like("%\(name)%") }).order {
      [$0.year.desc, $0.title]
    }
  }
}

enum WriterFilters {
  static func byName(_ name: String) -> QueryInterfaceRequest<Writer> {
    Writer.filter { $0.name == name }
  }

  static func alive() -> QueryInterfaceRequest<Writer> {
    Writer.filter { $0.diedAt == nil }
  }

  static func dead(_ date: Date) -> QueryInterfaceRequest<Writer> {
    Writer.filter { $0.diedAt != nil && $0.diedAt < date }
  }

  static func lived(_ days: Int) -> QueryInterfaceRequest<Writer> {
    Writer.filter { julianDay(($0.diedAt ?? Date()).untyped) - julianDay($0.bornAt.untyped) > days }
  }

  static func free(_ date: Date) -> QueryInterfaceRequest<Writer> {
    Writer.filter { ($0.diedAt ?? date) < date && $0.country != nil }
  }

  static func fromCountries(_ countries: [String]) -> QueryInterfaceRequest<Writer> {
    Writer.filter { countries.contains($0.country) }
  }

  static func unknownCountry() -> QueryInterfaceRequest<Writer> {
    Writer.filter { ($0.country ?? "") == "" }
  }

  static func prolific() -> QueryInterfaceRequest<Writer> {
    Writer.having(Writer.novels.count >= 10)
  }

  static func withRecentNovels(_ year: Int) -> QueryInterfaceRequest<Writer> {
    Writer.joining(required: Writer.novels.filter { $0.year >= year && $0.stock > 0 }).distinct()
  }

  static func withThickNovels() -> QueryInterfaceRequest<Writer> {
    Writer.having(Writer.novels.max(Column("pages")) > 1_000)
  }
}

enum OpinionFilters {
  static func good() -> QueryInterfaceRequest<Opinion> {
    Opinion.filter { $0.stars >= 4 }
  }

  static func extreme() -> QueryInterfaceRequest<Opinion> {
    Opinion.filter { $0.stars == 1 || $0.stars == 5 }
  }

  static func long() -> QueryInterfaceRequest<Opinion> {
    Opinion.filter { $0.text != nil && length($0.text) > 500 }
  }

  static func recent(_ date: Date) -> QueryInterfaceRequest<Opinion> {
    Opinion.filter { $0.writtenAt > date && $0.text != nil }.order { $0.writtenAt.desc }.limit(20)
  }

  static func ofNovel(_ id: Int64, _ stars: Int) -> QueryInterfaceRequest<Opinion> {
    Opinion.filter { $0.novelId == id && $0.stars >= stars }
  }

  static func ofReaders(_ ids: [Int64]) -> QueryInterfaceRequest<Opinion> {
    Opinion.filter { ids.contains($0.readerId) && $0.stars <= 2 }
  }

  static func aboutLanguage(_ language: Language) -> QueryInterfaceRequest<Opinion> {
    Opinion.joining(required: Opinion.novel.filter { $0.language == language }).filter {
      $0.stars > 3
    }
  }

  static func suspicious(_ date: Date) -> QueryInterfaceRequest<Opinion> {
    Opinion.filter {
      $0.stars == 5 && ($0.text == nil || length($0.text) < 10) && $0.writtenAt >= date
    }
  }
}

enum ReaderFilters {
  static func byEmail(_ email: String) -> QueryInterfaceRequest<Reader> {
    Reader.filter { $0.email.collating(.nocase) == email }
  }

  static func byFullName(_ name: String) -> QueryInterfaceRequest<Reader> {
    Reader.filter { [$0.firstName.untyped, $0.lastName.untyped].joined(operator: .concat) == name }
  }

  static func named(_ words: String) -> QueryInterfaceRequest<Reader> {
    Reader.filter {
      $0.firstName.like("\(words)%") || $0.lastName.like("\(words)%") || $0.email.like("%\(words)%")
    }
  }

  static func inCities(_ cities: [String]) -> QueryInterfaceRequest<Reader> {
    Reader.filter { cities.contains($0.city) && !$0.isBlocked }
  }

  static func loyal(_ date: Date) -> QueryInterfaceRequest<Reader> {
    Reader.filter { $0.points > 1_000 && $0.joinedAt < date && !$0.isBlocked }
  }

  static func newsletter() -> QueryInterfaceRequest<Reader> {
    Reader.filter { $0.email != nil && $0.email.like("%@%") && $0.isBlocked == false }
  }

  static func joinedSince(_ day: String) -> QueryInterfaceRequest<Reader> {
    Reader.filter { dateTime($0.joinedAt.untyped) >= day }
  }

  static func withoutPurchase() -> QueryInterfaceRequest<Reader> {
    Reader.having(Reader.purchases.isEmpty)
  }

  static func active(_ minimum: Int) -> QueryInterfaceRequest<Reader> {
    Reader.having(Reader.purchases.count >= minimum || Reader.opinions.count >= minimum)
  }

  static func gold() -> QueryInterfaceRequest<Reader> {
    Reader.filter {
      ($0.points > 5_000 || $0.points > 2_000 && $0.city == "Lyon") && !$0.isBlocked
        && $0.email != nil
    }
  }
}

enum PurchaseFilters {
  static func open() -> QueryInterfaceRequest<Purchase> {
    Purchase.filter { $0.state == Purchase.State.open }
  }

  static func unpaid(_ date: Date) -> QueryInterfaceRequest<Purchase> {
    Purchase.filter { $0.paidAt == nil && $0.orderedAt < date }
  }

  static func toSend() -> QueryInterfaceRequest<Purchase> {
    Purchase.filter { $0.paidAt != nil && $0.sentAt == nil && $0.state != Purchase.State.returned }
  }

  static func late() -> QueryInterfaceRequest<Purchase> {
    Purchase.filter {
      julianDay(($0.sentAt ?? Date()).untyped) - julianDay($0.paidAt.untyped) > 3
        && $0.state != .returned
    }
  }

  static func byCode(_ code: UUID) -> QueryInterfaceRequest<Purchase> {
    Purchase.filter { $0.code == code }
  }

  static func ofReader(_ id: Int64, _ states: [Purchase.State]) -> QueryInterfaceRequest<Purchase> {
    Purchase.filter { $0.readerId == id && states.contains($0.state) }.order { $0.orderedAt.desc }
  }

  static func expensive(_ minimum: Double) -> QueryInterfaceRequest<Purchase> {
    Purchase.having(Purchase.positions.sum(Column("count") * Column("unitPrice")) > minimum)
  }

  static func freeShipping() -> QueryInterfaceRequest<Purchase> {
    Purchase.filter {
      $0.shipping == 0 && ($0.state == Purchase.State.paid || $0.state == Purchase.State.sent)
    }
  }

  static func ofCity(_ city: String, _ date: Date) -> QueryInterfaceRequest<Purchase> {
    Purchase.joining(required: Purchase.reader.filter { $0.city == city }).filter {
      $0.orderedAt >= date
    }
  }
}

enum PositionFilters {
  static func large() -> QueryInterfaceRequest<Position> {
    Position.filter { $0.count.asDouble * $0.unitPrice * (1 - ($0.discount ?? 0)) > 100 }
  }

  static func wrongPrices() -> QueryInterfaceRequest<Position> {
    Position.filter { $0.unitPrice <= 0 || $0.count < 1 || $0.discount < 0 || $0.discount >= 1 }
  }

  static func ofNovels(_ ids: [Int64], _ minimum: Int) -> QueryInterfaceRequest<Position> {
    Position.filter { ids.contains($0.novelId) && $0.count >= minimum && ($0.discount ?? 0) < 0.5 }
  }
}

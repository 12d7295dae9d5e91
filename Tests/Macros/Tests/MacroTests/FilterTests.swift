import Foundation
import QuarryMacros
import Testing

/// A filter, its condition in SQL, and the identifiers of the players that it lets through.
struct Filter: CustomTestStringConvertible, Sendable {
  var testDescription: String { sql }
  var request: @Sendable () -> QueryInterfaceRequest<Player>
  var sql: String
  var ids: [Int64]

  init(
    _ sql: String, _ ids: [Int64],
    _ request: @autoclosure @escaping @Sendable () -> QueryInterfaceRequest<Player>
  ) {
    self.sql = sql
    self.ids = ids
    self.request = request
  }
}

@Suite("Filters by typed columns")
struct FilterTests {
  static let comparisons = [
    Filter(#""name" = ?"#, [1], Player.filter { $0.name == "Anna" }),
    Filter(#""name" <> ?"#, [2, 3], Player.filter { $0.name != "Anna" }),
    Filter(#""best_score" < ?"#, [1], Player.filter { $0.score < 20 }),
    Filter(#""best_score" <= ?"#, [1, 2], Player.filter { $0.score <= 20 }),
    Filter(#""best_score" > ?"#, [3], Player.filter { $0.score > 20 }),
    Filter(#""best_score" >= ?"#, [2, 3], Player.filter { $0.score >= 20 }),
    Filter(#"? < "best_score""#, [3], Player.filter { 20 < $0.score }),
    Filter(#"? = "name""#, [1], Player.filter { "Anna" == $0.name }),
    Filter(#""ratio" > ?"#, [2, 3], Player.filter { $0.ratio > 1 }),
    Filter(#""id" = ?"#, [2], Player.filter { $0.id == 2 }),
    Filter(#""level" = ?"#, [1, 3], Player.filter { $0.level == .low }),
    Filter(#""level" <> ?"#, [2], Player.filter { $0.level != .low }),
    Filter(#""nickname" = ?"#, [2], Player.filter { $0.nickname == "Bobby" }),
    Filter(#""nickname" IS NULL"#, [1], Player.filter { $0.nickname == nil }),
    Filter(#""nickname" IS NOT NULL"#, [2, 3], Player.filter { $0.nickname != nil }),
    Filter(#""bonus" > ?"#, [3], Player.filter { $0.bonus > 5 }),
    Filter(#""best_score" = "bonus""#, [3], Player.filter { $0.score == $0.bonus }),
    Filter(#""bonus" = "best_score""#, [3], Player.filter { $0.bonus == $0.score }),
    Filter(#""bonus" < "best_score""#, [1], Player.filter { $0.bonus < $0.score }),
    Filter(#""joined" = ?"#, [2], Player.filter { $0.joined == day(10) }),
    Filter(#""joined" >= ?"#, [2, 3], Player.filter { $0.joined >= day(10) }),
    Filter(#""left" > ?"#, [2, 3], Player.filter { $0.left > day(10) }),
    Filter(#""left" = "joined""#, [3], Player.filter { $0.left == $0.joined }),
    Filter(#""badge" = ?"#, [2], Player.filter { $0.badge == badge(2) }),
    Filter(#""tags" = ?"#, [3], Player.filter { $0.tags == ["x", "y"] }),
    Filter(#""isActive" = ?"#, [2], Player.filter { $0.isActive == false }),
    Filter(#""isGuest" IS NULL"#, [1], Player.filter { $0.isGuest == nil }),
  ]

  static let conditions = [
    Filter(#""isActive""#, [1, 3], Player.filter { $0.isActive }),
    Filter(#""isGuest""#, [2], Player.filter { $0.isGuest }),
    Filter(#"NOT "isActive""#, [2], Player.filter { !$0.isActive }),
    Filter(
      #"("best_score" > ?) AND ("name" = ?)"#, [3],
      Player.filter { $0.score > 10 && $0.name == "Cleo" }),
    Filter(
      #"("best_score" > ?) OR "isActive""#, [1, 2, 3],
      Player.filter { $0.score > 10 || $0.isActive }),
    Filter(
      #""isActive" AND ("best_score" > ?)"#, [3], Player.filter { $0.isActive && $0.score > 10 }),
    Filter(#""isActive" AND "isGuest""#, [], Player.filter { $0.isActive && $0.isGuest }),
    Filter(
      #"("best_score" > ?) AND (NOT ("isActive" OR "isGuest"))"#, [],
      Player.filter { $0.score > 10 && !($0.isActive || $0.isGuest) }),
    Filter(
      #"("best_score" > ?) AND ("name" = ?)"#, [3],
      Player.filter { $0.score > 10 }.filter { $0.name == "Cleo" }),
    Filter(
      #"("nickname" IS NULL) OR ("nickname" LIKE ?) OR ("best_score" = ?)"#, [1, 2],
      Player.filter { $0.nickname == nil || $0.nickname.like("B%") || $0.score == 1 }),
  ]

  static let functions = [
    Filter(#""name" LIKE ?"#, [1], Player.filter { $0.name.like("a%") }),
    Filter(#""nickname" LIKE ?"#, [2], Player.filter { $0.nickname.like("%b%") }),
    Filter(#""name" LIKE ? ESCAPE ?"#, [], Player.filter { $0.name.like("\\%", escape: "\\") }),
    Filter(#""name" GLOB ?"#, [1, 2], Player.filter { $0.name.glob("[A-B]*") }),
    Filter(
      #""name" = ? COLLATE NOCASE"#, [1], Player.filter { $0.name.collating(.nocase) == "ANNA" }),
    Filter(#""best_score" IN (?, ?)"#, [1, 3], Player.filter { [10, 30].contains($0.score) }),
    Filter(#""bonus" IN (?, ?)"#, [1], Player.filter { [5, 6].contains($0.bonus) }),
    Filter(
      #""level" IN (?, ?)"#, [1, 2, 3], Player.filter { [Level.low, .high].contains($0.level) }),
    Filter(
      #""joined" IN (?, ?)"#, [1, 3], Player.filter { [day(0), day(20)].contains($0.joined) }),
    Filter(
      #""best_score" BETWEEN ? AND ?"#, [1, 2], Player.filter { (10...20).contains($0.score) }),
    Filter(#""bonus" BETWEEN ? AND ?"#, [1], Player.filter { (1...20).contains($0.bonus) }),
    Filter(#""name" BETWEEN ? AND ?"#, [1, 2], Player.filter { ("A"..."C").contains($0.name) }),
    Filter(
      #""joined" BETWEEN ? AND ?"#, [2], Player.filter { (day(1)...day(19)).contains($0.joined) }),
    Filter(
      #"("best_score" >= ?) AND ("best_score" < ?)"#, [1],
      Player.filter { (10..<20).contains($0.score) }),
    Filter(
      #"("ratio" >= ?) AND ("ratio" < ?)"#, [1], Player.filter { (0.5..<1.5).contains($0.ratio) }),
    Filter(#""best_score" >= ?"#, [2, 3], Player.filter { (20...).contains($0.score) }),
    Filter(#""bonus" >= ?"#, [3], Player.filter { (6...).contains($0.bonus) }),
    Filter(#""name" >= ?"#, [2, 3], Player.filter { ("B"...).contains($0.name) }),
    Filter(#""best_score" < ?"#, [1], Player.filter { (..<20).contains($0.score) }),
    Filter(#""bonus" <= ?"#, [1], Player.filter { (...29).contains($0.bonus) }),
    Filter(
      #""best_score" BETWEEN ? AND ?"#, [2, 3], Player.filter { $0.score.isBetween(20, and: 30) }),
    Filter(
      #""best_score" BETWEEN "best_score" AND "best_score""#, [1, 2, 3],
      Player.filter { $0.score.isBetween($0.score, and: $0.score) }),
    Filter(#"NOT ("best_score" > ?)"#, [1, 2], Player.filter { !($0.score > 20) }),
    Filter(#"LENGTH("name") > ?"#, [1, 3], Player.filter { length($0.name) > 3 }),
    Filter(#"LENGTH("nickname") = ?"#, [3], Player.filter { length($0.nickname) == 1 }),
    Filter(#"ABS("best_score" - ?) > ?"#, [1, 3], Player.filter { abs($0.score - 20) > 5 }),
    Filter(#"ABS("bonus") = ?"#, [1], Player.filter { abs($0.bonus) == 5 }),
    Filter(
      #"swiftLowercaseString("name") = ?"#, [1], Player.filter { $0.name.lowercased == "anna" }),
    Filter(
      #"swiftUppercaseString("nickname") = ?"#, [3], Player.filter { $0.nickname.uppercased == "C" }
    ),
    Filter(
      #"("ratio" * CAST("best_score" AS REAL)) > ?"#, [2, 3],
      Player.filter { $0.ratio * $0.score.asDouble > 10 }),
    Filter(
      #"? OR ("name" = ?)"#, [1], Player.filter { false.sqlExpression || $0.name == "Anna" }),
    Filter(
      #"? AND ("name" = ?)"#, [1], Player.filter { true.sqlExpression && $0.name == "Anna" }),
    Filter(
      #"("nickname" IS NOT NULL) AND ("best_score" > ?)"#, [3],
      Player.filter { !($0.nickname == nil) && $0.score > 20 }),
    Filter(
      #"("nickname" IS NOT NULL) OR ("best_score" > ?)"#, [2, 3],
      Player.filter { !($0.nickname == nil) || $0.score > 20 }),
    Filter(
      #"("best_score" > ?) AND ("nickname" IS NOT NULL)"#, [3],
      Player.filter { $0.score > 20 && !($0.nickname == nil) }),
    Filter(
      #"("nickname" IS NOT NULL) AND ("bonus" IS NOT NULL) AND ("best_score" > ?)"#, [3],
      Player.filter { !($0.nickname == nil) && !($0.bonus == nil) && $0.score > 20 }),
    Filter(
      #"("nickname" IS NULL) = ("bonus" IS NULL)"#, [3],
      Player.filter { ($0.nickname == nil) == ($0.bonus == nil) }),
    Filter(#""name" NOT LIKE ?"#, [2, 3], Player.filter { !$0.name.like("A%") }),
  ]

  static let arithmetic = [
    Filter(#"("best_score" + "bonus") > ?"#, [3], Player.filter { $0.score + $0.bonus > 15 }),
    Filter(#"("bonus" - "best_score") = ?"#, [3], Player.filter { $0.bonus - $0.score == 0 }),
    Filter(#"("best_score" * ?) > ?"#, [3], Player.filter { $0.score * 2 > 40 }),
    Filter(#"(? - "best_score") > ?"#, [1], Player.filter { 25 - $0.score > 10 }),
    Filter(#"("ratio" / ?) < ?"#, [1], Player.filter { $0.ratio / 2 < 0.5 }),
    Filter(#"IFNULL("bonus", ?) > ?"#, [1, 3], Player.filter { ($0.bonus ?? 0) > 1 }),
    Filter(
      #"IFNULL("bonus", "best_score") > ?"#, [2, 3],
      Player.filter { ($0.bonus ?? $0.score) > 10 }),
    Filter(#"IFNULL("nickname", ?) = ?"#, [1], Player.filter { ($0.nickname ?? "none") == "none" }),
    Filter(
      #"(((IFNULL("bonus", ?) + ("best_score" * ?)) - ?) > ?) AND (("ratio" / ?) < ?)"#, [1, 2],
      Player.filter { ($0.bonus ?? 0) + $0.score * 2 - 1 > 10 && $0.ratio / 2 < 1 }),
    Filter(
      #"("best_score" + ("best_score" * ?)) > ("bonus" + ?)"#, [1, 3],
      Player.filter { $0.score + $0.score * 1 > $0.bonus + 1 }),
  ]

  static let mixtures = [
    Filter(
      #"("best_score" > ?) AND ("ratio" > ?)"#, [3],
      Player.filter { $0.score > 10 && Column("ratio") > 2 }),
    Filter(
      #"("ratio" > ?) OR "isActive""#, [1, 3], Player.filter { Column("ratio") > 2 || $0.isActive }),
    Filter(
      #"("best_score" > ?) AND (ratio > ?)"#, [3],
      Player.filter { $0.score > 10 && SQL("ratio > \(2.0)").sqlExpression }),
    Filter(#"LENGTH("name") = ?"#, [2], Player.filter { length($0.name.untyped) == 3 }),
    Filter(
      #""best_score" > "bonus""#, [1],
      Player.filter { $0.score > Column("bonus").typed(as: Int?.self) }
    ),
    Filter(#""best_score" > ?"#, [3], Player.filter { $0.score.untyped > 20 }),
    Filter(#"best_score > ?"#, [3], Player.filter(sql: "best_score > ?", arguments: [20])),
    Filter(#""best_score" > ?"#, [3], Player.filter(Column("best_score") > 20)),
  ]

  @Test(arguments: comparisons + conditions + functions + arithmetic + mixtures)
  func `a filter has the SQL of its expression, and finds its rows`(filter: Filter) throws {
    try withPlayers { db in
      let request = filter.request().order { $0.id }
      let sql = try request.sql(db)
      #expect(sql == #"SELECT * FROM "player" WHERE \#(filter.sql) ORDER BY "id""#)
      try #expect(request.fetchAll(db).map(\.id) == filter.ids)
    }
  }
}

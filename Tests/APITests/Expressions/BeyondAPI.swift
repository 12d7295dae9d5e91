import Foundation
import Quarry
import QuarryFunctions

// Expressions that go beyond the documented API.

func windowFunctions() {
  let (score, team) = (Column("score"), Column("team"))
  let frame: SQLWindowFrame = .rows(from: .preceding(2), to: .currentRow, excluding: .ties)
  let _: [SQLExpression] = [
    rowNumber().over(), rank().over(orderBy: score.desc), denseRank().over(orderBy: score, team),
    percentRank().over(partitionBy: team), cumeDist().over(partitionBy: team, orderBy: score),
    ntile(4).over(orderBy: score), lag(score).over(orderBy: score), lag(score, 2).over("w"),
    lag(score, 2, default: 0).over("w"), lead(score, default: score).over("w"),
    firstValue(score).over("w"), lastValue(score).over("w"), nthValue(score, 2).over("w"),
    sum(score).over(partitionBy: team, orderBy: score, frame: frame),
    SQLExpression.countAll.over(partitionBy: team) + 1,
  ]
  let _: [SQLWindowFrame] = [
    .rows(from: .unboundedPreceding), .range(from: .preceding(1.5), to: .following(1.5)),
    .groups(from: .currentRow, to: .unboundedFollowing, excluding: .group),
    .rows(from: .currentRow, to: .following(score), excluding: .noOthers),
    .rows(from: .currentRow, excluding: .currentRow),
  ]
  let windows: [SQLWindow] = [
    "w", SQLWindow(), SQLWindow(partitionBy: team),
    SQLWindow(partitionBy: [team], orderBy: [score]),
    SQLWindow(partitionBy: team, orderBy: score.desc, frame: frame), SQLWindow(named: "w"),
    SQLWindow(extending: "w", orderBy: score), SQLWindow(extending: "w", frame: frame),
  ]
  _ = windows.reduce(Player.all()) { $0.window("w", $1) }
  _ = Player.window("w", SQLWindow(orderBy: score)).select { [$0.name, rank().over("w")] }
  _ = Table("team").window("w", SQLWindow())
  _ = Team.players.window("w", SQLWindow())
}

func conditionals() {
  let score = Column("score")
  let _: SQLCase = SQLCase().when(score > 10, then: "a").when(score > 5, then: score).else(nil)
  let _: SQLCase = SQLCase(score).when(1, then: nil)
  let _: [SQLExpression] = [
    SQLCase().when(score > 10, then: 1).else(2) + 1, iif(score > 10, 1, nil), nullIf(score, 0),
  ]
  _ = Player.order(SQLCase(score).when(1, then: 2))
}

func rowValues() {
  let pair = SQLRowValue(Column("a"), Column("b"))
  let _: [SQLExpression] = [
    pair == SQLRowValue(1, "a"), pair != SQLRowValue([1, nil]), pair < SQLRowValue(1, 2),
    [SQLRowValue(1, 2), SQLRowValue(3, 4)].contains(pair),
    Player.select(Column("id"), Column("score")).contains(pair),
    pair.between(SQLRowValue(1, 2), and: SQLRowValue(3, 4)), Column("a").between(1, and: 2),
  ]
}

func moreFunctions() {
  let (name, score) = (Column("name"), Column("score"))
  let _: [SQLExpression] = [
    lower(name), upper(name), trim(name), trim(name, " "), ltrim(name), ltrim(name, "0"),
    rtrim(name),
    rtrim(name, "/"), replace(name, "a", with: name), substr(name, 1), substr(name, 1, 2),
    instr(name, "a"), unicode(name), hex(name), quote(name), printf("%d", score),
    printf("%d %s", score, "a", nil), round(score), round(score, 2), sign(score), typeOf(score),
    .random, .countAll, count(filter: score > 1), count(name, filter: score > 1),
    count(distinct: name, filter: score > 1), average(distinct: score), sum(distinct: score),
    total(distinct: score, filter: score > 1), groupConcat(name), groupConcat(name, separator: ";"),
    groupConcat(name, separator: ";", orderBy: name, filter: score > 1),
    groupConcat(distinct: name),
    date(name), date(name, .startOfDay), time(name, .utc), strftime("%Y", name, .utc),
    unixEpoch(name),
    SQLExpression.function("SOUNDEX", name), SQLExpression.function("PI"),
    SQLExpression.aggregate("MEDIAN", score, distinct: true, filter: score > 1),
    SQLExpression.aggregate("GROUP_CONCAT", name, ";", orderBy: name.desc),
    name.glob("a*"), name.regexp("^a"), name.match("a"), score % 2, 10 % score, score % score,
  ]
  _ = Player.order(.random).select(.countAll, .random)
  let _: DatabaseFunction = .regexp
  // Functions of Foundation and the C library stay what they are.
  let _: Double = round(1.5)
  let _: Double = Foundation.round(1.5)
  let _: Int = abs(-1)
}

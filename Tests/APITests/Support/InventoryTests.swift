import Quarry
import Testing

/// The inventory is there to compile. What needs no database also runs: building a request never
/// fails.
struct InventoryTests {
  static let bestPlayers = CommonTableExpression<Row>(named: "best", sql: "SELECT 1 AS id")

  @Test func `expressions are built without a database`() {
    functions()
    columns()
    assignments()
    selections()
    equality(1)
    comparison()
    arithmetic()
    logic()
    bits()
    membership(Player.select(Column("id")))
    optionalExpressions()
    qualifiedTerms()
    dynamicMembers()
    ranges()
    jsonColumn()
    jsonExpressible(JSONColumn("info"))
    jsonOfAliases()
    jsonFunctions()
    recentJSONFunctions()
    windowFunctions()
    conditionals()
    rowValues()
    moreFunctions()
  }

  @Test func `requests are built without a database`() {
    deferredClauses(Player.all())
    filteredRequest(Player.all())
    aggregatingRequest(Player.all())
    orderedRequest(Player.all())
    derivableRequest(Player.all(), CommonTableExpression(named: "red", sql: "SELECT 1"))
    tableRequest(Team.all())
    tableRequests(Table("team"), Self.bestPlayers)
    tableRecordRequests(Self.bestPlayers)
    recursiveTableExpressions()
  }

  @Test func `full-text requests are built without a database`() throws {
    fullTextRequests(
      try #require(FTS5Pattern(matchingAllTokensIn: "sea")), FTS3Pattern(matchingPhrase: "sea"))
  }

  @Test func `associations are built without a database`() {
    association(Team.players, Self.bestPlayers)
    joinableRequest(Player.all())
    tableRecordAssociations(Self.bestPlayers)
    associationsAlongConditions(CommonTableExpression(named: "best", sql: "SELECT 1 AS id"))
    joinKinds()
    tableJoins(Table("team"), Table("player"))
    aggregateLogic(Team.players.count, Team.awards.count)
    aggregateEquality(Team.players.count, Team.awards.count, nil)
    aggregateComparison(Team.players.count, Team.awards.count)
    aggregateArithmetic(Team.players.count, Team.awards.count)
    associationConformances()
  }
}

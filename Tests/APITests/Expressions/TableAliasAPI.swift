import Quarry

func tableAlias() {
  let alias = TableAlias(name: "p")
  let _: TableAlias<Void> = alias
  _ = TableAlias()
  let players = TableAlias(name: "p", for: Player.self)
  let _: TableAlias<Player> = players
  _ = TableAlias<Player>(name: "p")
  _ = TableAlias<Player>()
  let _: TableAlias<Player> = TableAlias(for: Player.self)
  let _: Bool = alias == TableAlias()
  let _: Set<TableAliasBase> = [alias, players]
  let _: SQLExpression = players.exists
  let _: SQLExpression = !players.exists
  let _: TableAlias<Player>.DatabaseComponents = Player.Columns.self
  let _: TableAliasBase = players
}

func qualifiedTerms() {
  let alias = TableAlias(name: "p")
  let _: SQLSelection = alias[AllColumns()]
  let _: SQLSelection = alias[.allColumns]
  let _: SQLSelection = alias[Column("id").forKey("identifier")]
  let _: SQLExpression = alias[Column("id")]
  let _: SQLExpression = alias[Columns.id]
  let _: SQLExpression = alias[Column("id") + 1]
  let _: SQLOrdering = alias[Column("id").desc]
  let _: SQLExpression = alias["id"]
  let _: [SQLExpression] = [
    alias[Column("id")] == 1, alias["id"] > alias["score"], alias[.rowID] == 1,
    alias[Player.Columns.id] == 1,
  ]
}

func dynamicMembers() {
  let players = TableAlias(for: Player.self)
  let _: SQLExpression = players.score
  let _: SQLSelection = players.score
  let _: SQLOrdering = players.score
  let _: SQLExpression = players.score > 10
  let _: SQLOrdering = players.score.desc
  let _: [any SQLOrderingTerm] = [players.score, players.name.desc]
  let _: [any SQLSelectable] = [players.score, players.name.forKey("n")]
  let games = TableAlias(for: Game.self)
  let _: SQLOrdering = games.best
  let _: SQLSelection = games.all
}

struct Game: TableRecord {
  enum Columns {
    static let score = Column("score")
    static let best = Column("score").desc
    static let all = AllColumns()
  }
}

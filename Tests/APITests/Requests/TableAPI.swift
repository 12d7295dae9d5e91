import Quarry

func table() {
  var table = Table("player")
  let _: Table<Row> = table
  table.tableName = "team"
  let _: Table<Player> = Table("player")
  _ = Table<Player>("player")
  let _: Table<Player>.DatabaseComponents = Player.Columns.self
}

func tableRequests(_ table: Table<Team>, _ cte: CommonTableExpression<Row>) {
  let key: [String: (any DatabaseValueConvertible)?] = ["id": 1, "name": nil]
  let _: [QueryInterfaceRequest<Team>] = [
    table.all(), table.none(), table.select(Column("id"), Column("name")),
    table.select([Column("id")]), table.select(sql: "id"),
    table.select(sql: "id + ?", arguments: [1]), table.select(literal: "id + \(1)"),
    table.annotated(with: [Column("id")]), table.annotated(with: Column("id"), Column("name")),
    table.filter(Column("id") == 1), table.filter(key: 1), table.filter(keys: [1, 2]),
    table.filter(key: ["id": 1]), table.filter(key: key), table.filter(keys: [["id": 1]]),
    table.filter(keys: [key]), table.filter(sql: "id = 1"),
    table.filter(sql: "id = ?", arguments: [1]), table.filter(literal: "id = \(1)"),
    table.order(Column("id"), Column("name").desc), table.order([Column("id")]),
    table.orderByPrimaryKey(), table.order(sql: "id"), table.order(sql: "id + ?", arguments: [1]),
    table.order(literal: "id + \(1)"), table.limit(1), table.limit(1, offset: 2),
    table.aliased(TableAlias()), table.aliased(TableAlias(for: Team.self)), table.with(cte),
    table.filter(id: 1), table.filter(ids: [1, 2]),
  ]
}

func tableSelections(_ table: Table<Team>) {
  let _: QueryInterfaceRequest<String> = table.select([Column("name")])
  let _: QueryInterfaceRequest<String> = table.select([Column("name")], as: String.self)
  let _: QueryInterfaceRequest<String> = table.select(Column("name"))
  let _: QueryInterfaceRequest<String> = table.select(Column("name"), as: String.self)
  let _: QueryInterfaceRequest<Int> = table.select(sql: "1", as: Int.self)
  let _: QueryInterfaceRequest<Int> = table.select(sql: "?", arguments: [1], as: Int.self)
  let _: QueryInterfaceRequest<Int> = table.select(literal: "\(1)", as: Int.self)
  let _: QueryInterfaceRequest<Int64> = table.selectPrimaryKey()
  let _: QueryInterfaceRequest<Int64> = table.selectPrimaryKey(as: Int64.self)
  let _: QueryInterfaceRequest<Int64> = table.selectID()
}

func tableFetches(
  _ records: Table<Team>, _ rows: Table<Row>, _ values: Table<Color>, _ fast: Table<Int>,
  _ db: Database
) throws {
  let _: Int = try records.fetchCount(db)
  let _: RecordCursor<Team> = try records.fetchCursor(db)
  let _: [Team] = try records.fetchAll(db)
  let _: Team? = try records.fetchOne(db)
  let _: Set<Team> = try records.fetchSet(db)
  let _: RowCursor = try rows.fetchCursor(db)
  let _: [Row] = try rows.fetchAll(db)
  let _: Row? = try rows.fetchOne(db)
  let _: Set<Row> = try rows.fetchSet(db)
  let _: DatabaseValueCursor<Color> = try values.fetchCursor(db)
  let _: [Color] = try values.fetchAll(db)
  let _: Color? = try values.fetchOne(db)
  let _: Set<Color> = try values.fetchSet(db)
  let _: FastDatabaseValueCursor<Int> = try fast.fetchCursor(db)
  let _: [Int] = try fast.fetchAll(db)
  let _: Int? = try fast.fetchOne(db)
  let _: Set<Int> = try fast.fetchSet(db)
}

func tableAssociations(
  _ teams: Table<Team>, _ players: Table<Player>, _ awards: Table<Award>,
  _ cte: CommonTableExpression<Row>
) {
  let key = ForeignKey(["teamId"])
  let _: BelongsToAssociation<Player, Team> = players.belongsTo(Team.self)
  let _: BelongsToAssociation<Player, Team> = players.belongsTo(Team.self, key: "t", using: key)
  let _: HasManyAssociation<Team, Player> = teams.hasMany(Player.self)
  let _: HasManyAssociation<Team, Player> = teams.hasMany(Player.self, key: "t", using: key)
  let _: HasOneAssociation<Team, Player> = teams.hasOne(Player.self)
  let _: HasOneAssociation<Team, Player> = teams.hasOne(Player.self, key: "t", using: key)
  let team: BelongsToAssociation<Player, Team> = players.belongsTo(teams)
  let _: BelongsToAssociation<Player, Team> = players.belongsTo(teams, key: "t", using: key)
  let member: HasManyAssociation<Team, Player> = teams.hasMany(players)
  let _: HasManyAssociation<Team, Player> = teams.hasMany(players, key: "t", using: key)
  let _: HasOneAssociation<Team, Player> = teams.hasOne(players)
  let _: HasOneAssociation<Team, Player> = teams.hasOne(players, key: "t", using: key)
  let _: JoinAssociation<Player, Row> = players.association(to: cte)
  let _: JoinAssociation<Player, Row> = players.association(to: cte) { player, row in
    player.id == row["id"]
  }
  let _: HasManyThroughAssociation<Team, Award> = teams.hasMany(
    Award.self, through: member, using: players.hasMany(awards))
  let _: HasManyThroughAssociation<Team, Award> = teams.hasMany(
    Award.self, through: member, using: players.hasMany(awards), key: "trophies")
  let _: HasOneThroughAssociation<Award, Team> = awards.hasOne(
    Team.self, through: awards.belongsTo(players), using: team)
  let _: HasOneThroughAssociation<Award, Team> = awards.hasOne(
    Team.self, through: awards.belongsTo(players), using: team, key: "club")
}

func tableJoins(_ teams: Table<Team>, _ players: Table<Player>) {
  let _: [QueryInterfaceRequest<Team>] = [
    teams.including(all: Team.players), teams.including(optional: Team.players),
    teams.including(required: Team.players), teams.joining(optional: Team.players),
    teams.joining(required: Team.players), teams.annotated(withOptional: Team.captain),
    teams.annotated(withRequired: Team.captain), teams.annotated(with: Team.players.count),
    teams.annotated(with: [Team.players.count]), teams.having(Team.players.isEmpty),
  ]
}

func tableDeletes(_ table: Table<Team>, _ db: Database) throws {
  let key: [String: (any DatabaseValueConvertible)?] = ["id": 1]
  let _: [Bool] = try [
    table.exists(db, key: 1), table.exists(db, id: 1), table.exists(db, key: ["id": 1]),
    table.exists(db, key: key), table.deleteOne(db, key: 1), table.deleteOne(db, id: 1),
    table.deleteOne(db, key: ["id": 1]), table.deleteOne(db, key: key),
  ]
  let _: [Int] = try [
    table.deleteAll(db), table.deleteAll(db, keys: [1, 2]), table.deleteAll(db, ids: [1, 2]),
    table.deleteAll(db, keys: [["id": 1], ["id": 2]]), table.deleteAll(db, keys: [key]),
  ]
  try table.deleteAll(db)
  try table.deleteAll(db, keys: [1])
  try table.deleteOne(db, key: 1)
  try table.deleteAll(db, ids: [1])
  try table.deleteOne(db, id: 1)
  try table.deleteAll(db, keys: [["id": 1]])
  try table.deleteOne(db, key: ["id": 1])
}

func tableUpdates(_ table: Table<Player>, _ db: Database) throws {
  try table.updateAll(db) { $0.score.set(to: 0) }
  try table.updateAll(db) { [$0.score.set(to: 0)] }
  try table.updateAll(db, onConflict: .ignore, assignment: { $0.score += 1 })
  try table.updateAll(db, onConflict: .ignore, assignments: { [$0.score += 1] })
  try table.updateAll(db, [Column("score") += 1])
  try table.updateAll(db, Column("score") += 1, Column("name").set(to: nil))
  let _: Int = try table.updateAll(db, onConflict: .fail, Column("score") += 1)
}

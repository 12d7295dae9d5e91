import Quarry

func tableRecord<Record: TableRecord>(_ type: Record.Type, _ db: Database) throws {
  let _: String = Record.databaseTableName
  let _: [any SQLSelectable] = Record.databaseSelection
  let _: Record.DatabaseComponents = Record.databaseComponents
  let _: Int = try Record.fetchCount(db)
  let _: Int = try Record.numberOfSelectedColumns(db)
  let _: any Error = Record.recordNotFound(db, key: 1)
  let _: RecordError = Record.recordNotFound(key: ["id": 1])
}

func listedTypes(_ db: Database) throws {
  let types: [any TableRecord.Type] = [Team.self, Player.self]
  for type in types {
    try type.deleteAll(db)
    let _: Int = try type.fetchCount(db)
    let _: String = type.databaseTableName
  }
}

/// A protocol of an application, whose records have their coding keys as columns.
protocol KeyedRecord: Codable, FetchableRecord, PersistableRecord where Columns == CodingKeys {
  associatedtype CodingKeys: CodingKey
}

struct Coach: KeyedRecord {
  enum CodingKeys: String, CodingKey, ColumnExpression {
    case id, name
  }

  var id: Int64
  var name: String
}

func keyedRecord() {
  let _: QueryInterfaceRequest<Coach> = Coach.filter { $0.name == "Ann" }.order { $0.id }
}

func tableRecordRequests(_ cte: CommonTableExpression<Row>) {
  let key: [String: (any DatabaseValueConvertible)?] = ["id": 1, "name": nil]
  let _: [QueryInterfaceRequest<Team>] = [
    Team.all(), Team.none(), Team.select(Column("id"), Column("name")), Team.select([Column("id")]),
    Team.select { $0.id }, Team.select { [$0.id, $0.name] }, Team.select(sql: "id"),
    Team.select(.allColumns), Team.select(sql: "id + ?", arguments: [1]),
    Team.select(literal: "id + \(1)"), Team.annotated(with: [Column("id")]),
    Team.annotated(with: Column("id"), Column("name")), Team.annotated { $0.id },
    Team.annotated { [$0.id, $0.name] }, Team.annotated(with: { $0.name }),
    Team.filter(Column("id") == 1), Team.filter { $0.id == 1 }, Team.filter(key: 1),
    Team.filter(keys: [1, 2]), Team.filter(key: ["id": 1]), Team.filter(key: key),
    Team.filter(keys: [["id": 1]]), Team.filter(keys: [key]), Team.filter(sql: "id = 1"),
    Team.filter(sql: "id = ?", arguments: [1]), Team.filter(literal: "id = \(1)"),
    Team.order(Column("id"), Column("name").desc), Team.order([Column("id")]),
    Team.order { $0.name }, Team.order { [$0.name.desc, $0.id] }, Team.orderByPrimaryKey(),
    Team.order(sql: "id"), Team.order(sql: "id + ?", arguments: [1]),
    Team.order(literal: "id + \(1)"), Team.limit(1), Team.limit(1, offset: 2),
    Team.aliased(TableAlias()), Team.aliased(TableAlias(for: Team.self)), Team.with(cte),
    Team.filter(id: 1), Team.filter(ids: [1, 2]), Team.filter(ids: Set([1])),
  ]
}

func tableRecordSelections(_ db: Database) throws {
  let _: QueryInterfaceRequest<String> = Team.select([Column("name")])
  let _: QueryInterfaceRequest<String> = Team.select([Column("name")], as: String.self)
  let _: QueryInterfaceRequest<String> = Team.select(Column("name"))
  let _: QueryInterfaceRequest<String> = Team.select(Column("name"), as: String.self)
  let _: QueryInterfaceRequest<String> = Team.select { $0.name }
  let _: QueryInterfaceRequest<String> = Team.select({ $0.name }, as: String.self)
  let _: QueryInterfaceRequest<Int> = Team.select(sql: "1", as: Int.self)
  let _: QueryInterfaceRequest<Int> = Team.select(sql: "?", arguments: [1], as: Int.self)
  let _: QueryInterfaceRequest<Int> = Team.select(literal: "\(1)", as: Int.self)
  let _: QueryInterfaceRequest<Int64> = Team.selectPrimaryKey()
  let _: QueryInterfaceRequest<Int64> = Team.selectPrimaryKey(as: Int64.self)
  let _: QueryInterfaceRequest<Int64> = Team.selectID()
  let _: [String] = try Team.select(Column("name"), as: String.self).fetchAll(db)
  let _: [String] = try Team.select({ $0.name }, as: String.self).fetchAll(db)
  let names = try String.fetchAll(db, Team.select(Column("name")))
  let _: [String] = names
}

func tableRecordAssociations(_ cte: CommonTableExpression<Row>) {
  let key = ForeignKey(["teamId"])
  let _: BelongsToAssociation<Player, Team> = Player.belongsTo(Team.self)
  let _: BelongsToAssociation<Player, Team> = Player.belongsTo(Team.self, key: "t", using: key)
  let _: HasManyAssociation<Team, Player> = Team.hasMany(Player.self)
  let _: HasManyAssociation<Team, Player> = Team.hasMany(Player.self, key: "t", using: key)
  let _: HasOneAssociation<Team, Player> = Team.hasOne(Player.self)
  let _: HasOneAssociation<Team, Player> = Team.hasOne(Player.self, key: "t", using: key)
  let _: BelongsToAssociation<Player, Row> = Player.belongsTo(Table("team"))
  let _: BelongsToAssociation<Player, Row> = Player.belongsTo(Table("team"), key: "t", using: key)
  let _: HasManyAssociation<Team, Row> = Team.hasMany(Table("player"))
  let _: HasManyAssociation<Team, Row> = Team.hasMany(Table("player"), key: "t", using: key)
  let _: HasOneAssociation<Team, Row> = Team.hasOne(Table("player"))
  let _: HasOneAssociation<Team, Row> = Team.hasOne(Table("player"), key: "t", using: key)
  let _: JoinAssociation<Player, Row> = Player.association(to: cte)
  let _: JoinAssociation<Player, Row> = Player.association(
    to: cte, on: { player, row in player.id == row["id"] })
  let _: HasManyThroughAssociation<Team, Award> = Team.hasMany(
    Award.self, through: Team.players, using: Player.awards)
  let _: HasManyThroughAssociation<Team, Award> = Team.hasMany(
    Award.self, through: Team.players, using: Player.awards, key: "trophies")
  let _: HasOneThroughAssociation<Award, Team> = Award.hasOne(
    Team.self, through: Award.player, using: Player.team)
  let _: HasOneThroughAssociation<Award, Team> = Award.hasOne(
    Team.self, through: Award.player, using: Player.team, key: "club")
}

func tableRecordJoins(_ team: Team, _ player: Player) {
  let _: QueryInterfaceRequest<Player> = team.request(for: Team.players)
  let _: QueryInterfaceRequest<Award> = team.request(for: Team.awards)
  let _: QueryInterfaceRequest<Team> = player.request(for: Player.team)
  let _: [QueryInterfaceRequest<Team>] = [
    Team.including(all: Team.players), Team.including(optional: Team.captain),
    Team.including(required: Team.captain), Team.joining(optional: Team.players),
    Team.joining(required: Team.players), Team.annotated(withOptional: Team.captain),
    Team.annotated(withRequired: Team.captain), Team.annotated(with: Team.players.count),
    Team.annotated(with: [Team.players.count]), Team.having(Team.players.isEmpty),
  ]
}

func tableRecordChanges(_ db: Database) throws {
  try Team.deleteAll(db)
  try Team.deleteAll(db, keys: [1, 2])
  try Team.deleteOne(db, key: 1)
  try Team.deleteAll(db, ids: [1, 2])
  try Team.deleteOne(db, id: 1)
  try Team.deleteAll(db, keys: [["id": 1], ["id": 2]])
  try Team.deleteOne(db, key: ["id": 1])
  let _: Int = try Team.deleteAll(db, ids: Set([1]))
  let _: Bool = try Team.deleteOne(db, id: 1)
  let _: [Bool] = try [
    Team.exists(db, key: 1), Team.exists(db, id: 1), Team.exists(db, key: ["id": 1]),
  ]
  try Team.updateAll(db) { [$0.name.set(to: "a"), $0.color.set(to: Color.red)] }
  try Team.updateAll(db) { $0.name.set(to: "a") }
  try Team.updateAll(db, onConflict: .ignore, assignments: { [$0.name.set(to: "a")] })
  try Team.updateAll(db, onConflict: .ignore, assignment: { $0.name.set(to: "a") })
  try Team.updateAll(db, [Column("name").set(to: "a")])
  try Team.updateAll(db, Column("name").set(to: "a"), Column("color").set(to: nil))
  let _: Int = try Team.updateAll(db, onConflict: .fail, Column("name").set(to: "a"))
}

func missingRecords(_ team: Team, _ db: Database) {
  let _: any Error = Team.recordNotFound(db, key: 1)
  let _: any Error = Team.recordNotFound(db, id: 1)
  let _: RecordError = Team.recordNotFound(key: ["id": 1])
  let _: any Error = team.recordNotFound(db)
}

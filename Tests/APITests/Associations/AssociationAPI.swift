import Quarry

func foreignKeys() {
  let _: ForeignKey = ForeignKey(["teamId"])
  let _: ForeignKey = ForeignKey(["teamId"], to: ["id"])
  let _: ForeignKey = ForeignKey([Column("teamId")])
  let _: ForeignKey = ForeignKey([Player.Columns.teamId], to: [Team.Columns.id])
  let _: ForeignKey = ForeignKey([Columns.id, Column("name")])
  let _: Bool = ForeignKey(["teamId"]) == ForeignKey(["teamId"], to: ["id"])
  let _: any Equatable & Sendable = ForeignKey(["teamId"])
}

func association<A: Association>(
  _ association: A, _ cte: CommonTableExpression<Row>
) where A.RowDecoder == Player {
  let _: A.OriginRowDecoder.Type = A.OriginRowDecoder.self
  let _: String = association.databaseTableName
  let _: [A] = [
    association.forKey("key"), association.forKey(PlayerKeys.score),
    association.selectWhenConnected { _ in [Column("id")] },
    association.annotatedWhenConnected(with: { _ in [Column("id")] }),
    association.filterWhenConnected { _ in Column("id") > 1 },
    association.orderWhenConnected { _ in [Column("id")] },
    association.groupWhenConnected { _ in [Column("id")] },
    association.havingWhenConnected { _ in Column("id") > 1 },
    association.reversed(), association.unordered(), association.withStableOrder(),
    association.withAggregatesInSubqueries(),
    association.distinct(), association.with(cte), association.select(Column("id")),
    association.select { $0.id }, association.annotated(with: Column("id")),
    association.filter(Column("id") == 1), association.filter { $0.score > 1 },
    association.filter(key: 1), association.order(Column("id").desc),
    association.order { $0.score }, association.aliased(TableAlias()),
    association.aliased(TableAlias(for: Player.self)), association.orderByPrimaryKey(),
    association.groupByPrimaryKey(), association.annotated(with: Player.awards.count),
    association.including(all: Player.awards), association.including(optional: Player.team),
    association.including(required: Player.team), association.joining(optional: Player.team),
    association.joining(required: Player.team),
    association.having(Player.awards.isEmpty), association.annotated(withOptional: Player.team),
    association.annotated(withRequired: Player.team), association.none(), association.all(),
  ]
}

func associationToOne(_ association: some AssociationToOne) {
  _ = association.forKey("key")
}

func associationToMany<A: AssociationToMany>(_ association: A) throws
where A.OriginRowDecoder == Team, A.RowDecoder == Player {
  let score = Column("score")
  let _: A = association.forKey("key")
  let _: [AssociationAggregate<Team>] = [
    association.count, association.isEmpty, association.average(score),
    association.average { $0.score }, association.max(score), association.max { $0.score },
    association.min(score), association.min { $0.score }, association.sum(score),
    association.sum { $0.score }, association.total(score), association.total { $0.score },
    association.max { $0.score + 1 }, association.filter { $0.score > 1 }.count,
  ]
  let _: A.DatabaseComponents = Player.Columns.self
  let _: AssociationAggregate<Team> = try association.sum { columns -> Column in
    if columns == Player.Columns.self { throw CancellationError() }
    return columns.score
  }
}

func associationTypes() {
  let _: (Player.Type, Team.Type) = (
    BelongsToAssociation<Player, Team>.OriginRowDecoder.self,
    BelongsToAssociation<Player, Team>.RowDecoder.self
  )
  let _: (Team.Type, Player.Type) = (
    HasManyAssociation<Team, Player>.OriginRowDecoder.self,
    HasManyAssociation<Team, Player>.RowDecoder.self
  )
  let _: (Team.Type, Award.Type) = (
    HasManyThroughAssociation<Team, Award>.OriginRowDecoder.self,
    HasManyThroughAssociation<Team, Award>.RowDecoder.self
  )
  let _: (Team.Type, Player.Type) = (
    HasOneAssociation<Team, Player>.OriginRowDecoder.self,
    HasOneAssociation<Team, Player>.RowDecoder.self
  )
  let _: (Award.Type, Team.Type) = (
    HasOneThroughAssociation<Award, Team>.OriginRowDecoder.self,
    HasOneThroughAssociation<Award, Team>.RowDecoder.self
  )
  let _: (Player.Type, Row.Type) = (
    JoinAssociation<Player, Row>.OriginRowDecoder.self, JoinAssociation<Player, Row>.RowDecoder.self
  )
  associationToOne(Player.team)
  associationToOne(Team.captain)
  associationToOne(Award.team)
}

func joinableRequest<R: JoinableRequest<Player> & SelectionRequest>(_ request: R) {
  let _: [R] = [
    request.including(all: Player.awards), request.including(optional: Player.team),
    request.including(required: Player.team), request.joining(optional: Player.team),
    request.joining(required: Player.awards), request.annotated(withOptional: Player.team),
    request.annotated(withRequired: Player.passport),
  ]
}

func nestedAssociations(_ db: Database) throws {
  let alias = TableAlias(for: Team.self)
  let request =
    Player
    .including(required: Player.team.aliased(alias).including(all: Team.players.order { $0.score }))
    .including(all: Player.awards.filter(Column("title") != nil).forKey("trophies"))
    .filter { $0.score > 1 && alias.name != nil }
    .order { $0.score.desc }
    .annotated(with: Player.awards.count.forKey("awardCount"))
  let _: QueryInterfaceRequest<Player> = request
  let _: [PlayerInfo] = try request.asRequest(of: PlayerInfo.self).fetchAll(db)
}

func associationConformances() {
  func isAssociation<A: Association & DerivableRequest & Sendable>(_: A.Type) {}
  func isAssociationToOne<A: AssociationToOne>(_: A.Type) { isAssociation(A.self) }
  func isAssociationToMany<A: AssociationToMany>(_: A.Type) { isAssociation(A.self) }
  isAssociationToOne(BelongsToAssociation<Player, Team>.self)
  isAssociationToOne(HasOneAssociation<Team, Player>.self)
  isAssociationToOne(HasOneThroughAssociation<Award, Team>.self)
  isAssociationToOne(JoinAssociation<Player, Row>.self)
  isAssociationToMany(HasManyAssociation<Team, Player>.self)
  isAssociationToMany(HasManyThroughAssociation<Team, Award>.self)
}

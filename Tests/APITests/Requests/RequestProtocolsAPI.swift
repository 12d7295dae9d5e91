import Quarry

func selectionRequest<R: SelectionRequest>(_ request: R) {
  let _: [R] = [
    request.selectWhenConnected { _ in [Column("id")] },
    request.annotatedWhenConnected { _ in [Column("id")] },
    request.select([Column("id"), AllColumns()]), request.select(Column("id"), .rowID),
    request.select(.allColumns), request.select(.allColumns(excluding: ["id"])),
    request.select(sql: "id"), request.select(sql: "id + ?", arguments: [1]),
    request.select(literal: "id + \(1)"),
    request.annotated(with: [Column("id")]), request.annotated(with: Column("id"), Column("name")),
  ]
}

func typedSelectionRequest<R: SelectionRequest & TypedRequest<Player>>(_ request: R) throws {
  let _: [R] = [
    request.select { $0.id }, request.select { [$0.id, $0.name] },
    request.annotated { $0.id }, request.annotated { [$0.id, $0.name] },
    request.annotated(with: { $0.score + 1 }),
    request.annotated(with: { [$0.score + 1, length($0.name)] }),
  ]
  let _: R = try request.select { columns in
    if columns == Player.Columns.self { throw CancellationError() }
    return columns.name
  }
}

func filteredRequest<R: FilteredRequest>(_ request: R) {
  let _: [R] = [
    request.filterWhenConnected { _ in Column("id") == 1 },
    request.filter(Column("id") == 1), request.filter(sql: "id = 1"),
    request.filter(sql: "id = ?", arguments: [1]), request.filter(literal: "id = \(1)"),
    request.none(), request.all(),
  ]
}

func typedFilteredRequest<R: FilteredRequest & TypedRequest<Player>>(_ request: R) throws {
  let _: R = request.filter { $0.score > 1 }
  let _: R = request.filter { player in player.score > 1 && player.name != nil }
  let _: R = try request.filter { _ in throw CancellationError() }
}

func tableRequest<R: TableRequest & FilteredRequest & TypedRequest<Team>>(_ request: R)
where R: OrderedRequest & AggregatingRequest {
  let _: String = request.databaseTableName
  let key: [String: (any DatabaseValueConvertible)?] = ["id": 1, "name": nil]
  let _: [R] = [
    request.aliased(TableAlias()), request.aliased(TableAlias(for: Team.self)),
    request.aliased(TableAlias(name: "t")), request.filter(key: 1),
    request.filter(key: nil as Int?), request.filter(keys: [1, 2]), request.filter(keys: Set([1])),
    request.filter(key: ["id": 1]), request.filter(key: ["id": 1, "name": "a"]),
    request.filter(key: key), request.filter(keys: [["id": 1], ["id": 2]]),
    request.filter(keys: [key]), request.filter(id: 1), request.filter(ids: [1, 2]),
    request.filter(ids: Set([1])), request.orderByPrimaryKey(), request.groupByPrimaryKey(),
  ]
}

func aggregatingRequest<R: AggregatingRequest>(_ request: R) {
  let _: [R] = [
    request.groupWhenConnected { _ in [Column("id")] },
    request.havingWhenConnected { _ in count(Column("id")) > 1 },
    request.group([Column("id")]), request.group(Column("id"), Column("name") + 1),
    request.group(sql: "id"), request.group(sql: "id + ?", arguments: [1]),
    request.group(literal: "id + \(1)"), request.having(count(Column("id")) > 1),
    request.having(true), request.having(sql: "COUNT(*) > 1"),
    request.having(sql: "COUNT(*) > ?", arguments: [1]), request.having(literal: "COUNT(*) > \(1)"),
  ]
}

func typedAggregatingRequest<R: AggregatingRequest & TypedRequest<Player>>(_ request: R) {
  let _: [R] = [
    request.group { $0.teamId }, request.group { [$0.teamId, $0.name] },
    request.having { max($0.score) > 1 },
  ]
}

func orderedRequest<R: OrderedRequest>(_ request: R) {
  let _: [R] = [
    request.orderWhenConnected { _ in [Column("id")] }, request.reversed(), request.unordered(),
    request.withStableOrder(), request.order(Column("id"), Column("name").desc),
    request.order([Column("id"), Column("name").desc]), request.order(sql: "id"),
    request.order(sql: "id + ?", arguments: [1]), request.order(literal: "id + \(1)"),
    request.order(), request.order(Column.rowID),
  ]
}

func typedOrderedRequest<R: OrderedRequest & TypedRequest<Player>>(_ request: R) {
  let _: [R] = [
    request.order { $0.name }, request.order { $0.name.desc },
    request.order { [$0.name.desc, $0.id] },
    request.order { [$0.score.desc, $0.name.collating(.nocase)] },
  ]
}

func derivableRequest<R: DerivableRequest<Player>>(
  _ request: R, _ cte: CommonTableExpression<Team>
) {
  let _: [R] = [
    request.distinct(), request.with(cte), request.annotated(with: Player.awards.count),
    request.annotated(with: Player.awards.count, Player.awards.isEmpty.forKey("isBare")),
    request.annotated(with: [Player.awards.count]), request.having(Player.awards.isEmpty),
    request.having(Player.awards.count > 1),
    request.filter { $0.score > 1 }.order { $0.name }.limited,
  ]
}

extension DerivableRequest<Player> {
  /// A method that an application adds to all requests of players.
  var limited: Self { filter(Column("score") > 10).order(Column("score").desc) }

  func named(_ name: String) -> Self { filter { $0.name == name } }
}

func derivedRequests() {
  let _: QueryInterfaceRequest<Player> = Player.all().limited.named("Ann")
  let _: HasManyAssociation<Team, Player> = Team.players.limited.named("Ann")
}

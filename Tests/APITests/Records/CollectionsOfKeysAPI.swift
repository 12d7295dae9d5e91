import Quarry

// Variables of identifiers and keys: a literal takes the type that a method wants, a variable has
// its own.

func optionalIdentifiers(_ db: Database) throws {
  let array: [Int64] = [1, 2]
  let set: Set<Int64> = [1, 2]
  let slice = array.dropFirst()
  let optionals: [Int64?] = [1, nil]
  let anyCollection: any Collection<Int64?> = optionals
  let players: [Player] = []
  let found = players.compactMap(\.id)

  let table = Table<Player>("player")
  let _: [QueryInterfaceRequest<Player>] = [
    Player.filter(ids: array), Player.filter(ids: set), Player.filter(ids: slice),
    Player.filter(ids: optionals), Player.filter(ids: anyCollection), Player.filter(ids: found),
    Player.filter(ids: players.map(\.id)), Player.filter(ids: array.map { $0 + 1 }),
    Player.filter(ids: 1...3), Player.filter(ids: [1, nil]), Player.filter(ids: []),
    table.filter(ids: array), table.filter(ids: set), table.filter(ids: slice),
    table.filter(ids: optionals), table.filter(ids: anyCollection), table.filter(ids: [1, 2]),
    Player.all().filter(ids: array), Player.all().filter(ids: set),
    Player.all().filter(ids: slice), Player.all().filter(ids: optionals),
    Player.all().filter(ids: anyCollection), Player.all().filter(ids: [1, 2]),
  ]
  let _: [HasManyAssociation<Team, Player>] = [
    Team.players.filter(ids: array), Team.players.filter(ids: set),
    Team.players.filter(ids: slice), Team.players.filter(ids: optionals),
  ]
  let _: [RecordCursor<Player>] = try [
    Player.fetchCursor(db, ids: array), Player.fetchCursor(db, ids: set),
    Player.fetchCursor(db, ids: slice), Player.fetchCursor(db, ids: optionals),
  ]
  let _: [[Player]] = try [
    Player.fetchAll(db, ids: array), Player.fetchAll(db, ids: set),
    Player.fetchAll(db, ids: slice), Player.fetchAll(db, ids: optionals),
    Player.fetchAll(db, ids: [1, 2]), Player.fetchAll(db, ids: Set([1, 2])),
  ]
  let _: [Set<Player>] = try [
    Player.fetchSet(db, ids: array), Player.fetchSet(db, ids: set),
    Player.fetchSet(db, ids: slice), Player.fetchSet(db, ids: optionals),
  ]
  try Player.deleteAll(db, ids: array)
  let _: [Int] = try [
    Player.deleteAll(db, ids: set), Player.deleteAll(db, ids: slice),
    Player.deleteAll(db, ids: optionals), Player.deleteAll(db, ids: [1, 2]),
  ]
  try table.deleteAll(db, ids: array)
  let _: [Int] = try [
    table.deleteAll(db, ids: set), table.deleteAll(db, ids: slice),
    table.deleteAll(db, ids: optionals), table.deleteAll(db, ids: [1, 2]),
  ]
  let id = array[0]
  let _: Player? = try Player.fetchOne(db, id: id)
  let _: Player = try Player.find(db, id: id)
  let _: Bool = try Player.exists(db, id: id)
  let _: Bool = try Player.deleteOne(db, id: id)
  let _: QueryInterfaceRequest<Player> = Player.filter(id: id)
}

func requiredIdentifiers(_ db: Database) throws {
  let array: [Int64] = [1, 2]
  let set: Set<Int64> = [1, 2]
  let slice = array.dropFirst()
  let anyCollection: any Collection<Int64> = array
  let table = Table<Team>("team")
  let _: [QueryInterfaceRequest<Team>] = [
    Team.filter(ids: array), Team.filter(ids: set), Team.filter(ids: slice),
    Team.filter(ids: anyCollection), Team.filter(ids: array.map { $0 }),
    table.filter(ids: array), table.filter(ids: set), table.filter(ids: slice),
    Team.all().filter(ids: array), Team.all().filter(ids: set), Team.all().filter(ids: slice),
  ]
  let _: RecordCursor<Team> = try Team.fetchCursor(db, ids: slice)
  let _: [[Team]] = try [Team.fetchAll(db, ids: array), Team.fetchAll(db, ids: slice)]
  let _: Set<Team> = try Team.fetchSet(db, ids: set)
  let _: [Int] = try [
    Team.deleteAll(db, ids: array), Team.deleteAll(db, ids: set), table.deleteAll(db, ids: slice),
  ]
}

func keys(_ db: Database) throws {
  let array: [Int64] = [1, 2]
  let set: Set<Int64> = [1, 2]
  let slice = array.dropFirst()
  let optionals: [Int64?] = [1, nil]
  let table = Table<Player>("player")
  let _: [QueryInterfaceRequest<Player>] = [
    Player.filter(keys: array), Player.filter(keys: set), Player.filter(keys: slice),
    Player.filter(keys: optionals), Player.filter(keys: ["a", "b"]),
    table.filter(keys: array), table.filter(keys: set), table.filter(keys: slice),
    table.filter(keys: optionals),
    Player.all().filter(keys: array), Player.all().filter(keys: set),
    Player.all().filter(keys: slice), Player.all().filter(keys: optionals),
  ]
  let _: RecordCursor<Player> = try Player.fetchCursor(db, keys: slice)
  let _: [[Player]] = try [
    Player.fetchAll(db, keys: array), Player.fetchAll(db, keys: set),
    Player.fetchAll(db, keys: slice), Player.fetchAll(db, keys: optionals),
  ]
  let _: Set<Player> = try Player.fetchSet(db, keys: set)
  let _: [Int] = try [
    Player.deleteAll(db, keys: array), Player.deleteAll(db, keys: set),
    Player.deleteAll(db, keys: slice), Player.deleteAll(db, keys: optionals),
    table.deleteAll(db, keys: array), table.deleteAll(db, keys: slice),
  ]
}

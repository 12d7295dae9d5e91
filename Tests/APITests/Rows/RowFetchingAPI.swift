import Quarry

func fetchRows(_ statement: Statement) throws {
  let adapter: any RowAdapter = SuffixRowAdapter(fromIndex: 1)
  let _: RowCursor = try Row.fetchCursor(statement)
  let _: RowCursor = try Row.fetchCursor(statement, arguments: [1], adapter: adapter)
  let _: [Row] = try Row.fetchAll(statement)
  let _: [Row] = try Row.fetchAll(statement, arguments: ["id": 1], adapter: adapter)
  let _: Set<Row> = try Row.fetchSet(statement)
  let _: Set<Row> = try Row.fetchSet(statement, arguments: nil, adapter: nil)
  let _: Row? = try Row.fetchOne(statement)
  let _: Row? = try Row.fetchOne(statement, arguments: [1], adapter: adapter)
  let _: Row.Type = RowCursor.Element.self
}

func fetchRows(_ db: Database) throws {
  let adapter: any RowAdapter = SuffixRowAdapter(fromIndex: 1)
  let _: RowCursor = try Row.fetchCursor(db, sql: "SELECT 1")
  let _: RowCursor = try Row.fetchCursor(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: [Row] = try Row.fetchAll(db, sql: "SELECT 1")
  let _: [Row] = try Row.fetchAll(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: Set<Row> = try Row.fetchSet(db, sql: "SELECT 1")
  let _: Set<Row> = try Row.fetchSet(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: Row? = try Row.fetchOne(db, sql: "SELECT 1")
  let _: Row? = try Row.fetchOne(db, sql: "SELECT ?", arguments: [1], adapter: adapter)
  let _: RowCursor = try Row.fetchCursor(db, Player.all())
  let _: [Row] = try Row.fetchAll(db, Player.all())
  let _: Set<Row> = try Row.fetchSet(db, SQLRequest<Row>(sql: "SELECT 1"))
  let _: Row? = try Row.fetchOne(db, Player.filter(key: 1))
  let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player")
  while let row = try rows.next() {
    let _: String = row["name"]
  }
}

func rowAdapters() {
  let _: EmptyRowAdapter = EmptyRowAdapter()
  let _: ColumnMapping = ColumnMapping(["id": "playerId"])
  let suffix = SuffixRowAdapter(fromIndex: 2)
  let _: RangeRowAdapter = RangeRowAdapter(0..<2)
  let _: RangeRowAdapter = RangeRowAdapter(0...1)
  let _: ScopeAdapter = ScopeAdapter(["team": suffix])
  let _: ScopeAdapter = ScopeAdapter(["a": suffix, "b": RangeRowAdapter(0..<1)])
  let _: ScopeAdapter = ScopeAdapter(base: RangeRowAdapter(0..<2), scopes: ["team": suffix])
  let _: RenameColumnAdapter = RenameColumnAdapter { name in name + "1" }
  let _: any RowAdapter = suffix.addingScopes(["team": EmptyRowAdapter()])
  let _: [any RowAdapter] = splittingRowAdapters(columnCounts: [1, 2])
}

func rowScopes(_ row: Row) {
  let scopes = row.scopes
  let _: [String] = Array(scopes.names)
  let _: Row? = scopes["team"]
  let start: Row.ScopesView.Index = scopes.startIndex
  let _: Bool = start == scopes.endIndex
  let _: Row.ScopesView.Index = scopes.index(after: start)
  let _: (name: String, row: Row) = scopes[start]
  for (name, row) in scopes {
    let _: (String, Row) = (name, row)
  }
  let _: Int = scopes.count
  let tree = row.scopesTree
  let _: Set<String> = tree.names
  let _: Row? = tree["team"]
  let _: Int? = row.scopes["team"]?.scopes["country"]?["id"]
}

func prefetchedRows(_ row: Row) {
  let view = row.prefetchedRows
  let _: Bool = view.isEmpty
  let _: Set<String> = view.keys
  let _: [Row]? = view["players"]
  let _: Bool = view == row.prefetchedRows
}

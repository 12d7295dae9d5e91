import Quarry

func createTables(_ db: Database) throws {
  try db.create(table: "player") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull()
  }
  try db.create(table: "player", options: [.ifNotExists, .temporary, .withoutRowID, .strict]) { t in
    t.column("name")
  }
  try db.create(table: "player", options: .ifNotExists) { t in t.column("name", .text) }
  try db.create(table: "player", options: []) { _ in throw CancellationError() }
  try db.create(table: "player", temporary: true, ifNotExists: true, withoutRowID: true) { t in
    t.primaryKey("id", .integer)
  }
  try db.create(table: "player", ifNotExists: true) { t in t.column("name") }
  try db.create(table: "player", body: { $0.column("name") })
  try db.rename(table: "player", to: "member")
  try db.alter(table: "player") { t in
    t.add(column: "a")
    let _: ColumnDefinition = t.add(column: "a", .text)
    t.addColumn(sql: "a TEXT")
    t.addColumn(literal: "a TEXT DEFAULT \("x")")
    t.rename(column: "a", to: "b")
    t.drop(column: "a")
  }
  try db.drop(table: "player")
  let _: Int = TableOptions(rawValue: 1).rawValue
}

func tableDefinition(_ t: TableDefinition) throws {
  t.autoIncrementedPrimaryKey("id")
  let _: ColumnDefinition = t.autoIncrementedPrimaryKey("id", onConflict: .replace)
  t.primaryKey("id", .text)
  let _: ColumnDefinition = t.primaryKey("id", .text, onConflict: .replace)
  t.primaryKey { t.column("a", .text) }
  t.primaryKey(onConflict: .replace) { t.column("a", .text) }
  try t.primaryKey { throw CancellationError() }
  t.column("a")
  let _: ColumnDefinition = t.column("a", .text)
  t.column(sql: "a TEXT")
  t.column(literal: "a TEXT DEFAULT \("x")")
  t.primaryKey(["a", "b"])
  t.primaryKey(["a", "b"], onConflict: .ignore)
  t.uniqueKey(["a", "b"])
  t.uniqueKey(["a", "b"], onConflict: .ignore)
  t.foreignKey(["a"], references: "team")
  t.foreignKey(
    ["a"], references: "team", columns: ["id"], onDelete: .cascade, onUpdate: .setNull,
    deferred: true)
  t.belongsTo("team")
  let _: ForeignKeyDefinition = t.belongsTo(
    "team", inTable: "club", onDelete: .cascade, onUpdate: .restrict, deferred: true,
    indexed: false)
  t.belongsTo("team", onDelete: .cascade).notNull()
  t.check(Column("a") > 0)
  t.check(sql: "a > 0")
  t.constraint(sql: "CHECK (a > 0)")
  t.constraint(literal: "CHECK (a > \(0))")
}

func columnDefinition(_ column: ColumnDefinition) {
  column.primaryKey()
  column.primaryKey(onConflict: .replace, autoincrement: true)
  column.notNull()
  column.notNull(onConflict: .ignore)
  column.unique()
  column.unique(onConflict: .ignore)
  column.indexed()
  column.check { $0 > 0 }
  column.check { length($0) > 0 }
  column.check(sql: "a > 0")
  column.defaults(to: 1)
  column.defaults(to: "a")
  column.defaults(sql: "CURRENT_TIMESTAMP")
  column.collate(.nocase)
  column.collate(.french)
  column.generatedAs(sql: "a + 1")
  column.generatedAs(sql: "a + 1", .stored)
  column.generatedAs(Column("a") + 1)
  column.generatedAs(Column("a") + 1, .virtual)
  column.references("team")
  column.references(
    "team", column: "id", onDelete: .cascade, onUpdate: .setDefault, deferred: true)
  let _: ColumnDefinition = column.notNull().unique().indexed().check(sql: "1").defaults(to: 0)
    .collate(.binary).references("team", onDelete: .cascade)
}

func generatedColumns(_ qualification: ColumnDefinition.GeneratedColumnQualification) {
  switch qualification {
  case .virtual, .stored: break
  }
  let _: Set<ColumnDefinition.GeneratedColumnQualification> = [qualification]
}

func foreignKeyDefinition(_ key: ForeignKeyDefinition) {
  key.notNull()
  key.notNull(onConflict: .ignore)
  key.unique()
  let _: ForeignKeyDefinition = key.notNull().unique()
}

import Quarry

func schemaVersion(_ db: Database) throws {
  let _: Int = try db.withSchemaSource(ViewKeys()) { try Player.fetchCount(db) }
  let _: Int = db.withSchemaSource(nil) { 1 }
  let _: Int32 = try db.schemaVersion()
  db.clearSchemaCache()
}

func schemaIntrospection(_ db: Database) throws {
  let _: [Bool] = try [
    db.tableExists("player"), db.tableExists("player", in: "main"),
    db.viewExists("best"), db.viewExists("best", in: nil),
    db.triggerExists("log"), db.triggerExists("log", in: "temp"),
    Database.isSQLiteInternalTable("sqlite_sequence"),
    Database.isGRDBInternalTable("grdb_migrations"),
    db.table("player", hasUniqueKey: ["id"]),
    db.table("player", hasUniqueKey: Set(["id"])),
  ]
  let _: PrimaryKeyInfo = try db.primaryKey("player")
  let _: PrimaryKeyInfo = try db.primaryKey("player", in: "main")
  let _: [IndexInfo] = try db.indexes(on: "player")
  let _: [IndexInfo] = try db.indexes(on: "player", in: "main")
  let _: [ForeignKeyInfo] = try db.foreignKeys(on: "player")
  let _: [ForeignKeyInfo] = try db.foreignKeys(on: "player", in: "main")
  let _: RecordCursor<ForeignKeyViolation> = try db.foreignKeyViolations()
  let _: RecordCursor<ForeignKeyViolation> = try db.foreignKeyViolations(in: "player")
  let _: RecordCursor<ForeignKeyViolation> = try db.foreignKeyViolations(in: "player", in: "main")
  try db.checkForeignKeys()
  try db.checkForeignKeys(in: "player")
  try db.checkForeignKeys(in: "player", in: "main")
  let _: [ColumnInfo] = try db.columns(in: "player")
  let _: [ColumnInfo] = try db.columns(in: "player", in: "main")
}

func columnInfo(_ db: Database, _ row: Row) throws {
  let column = ColumnInfo(row: row)
  let _: String = column.name
  let _: String = column.type
  let _: Bool = column.isNotNull
  let _: String? = column.defaultValueSQL
  let _: Int = column.primaryKeyIndex
  let _: [ColumnInfo] = try ColumnInfo.fetchAll(db, sql: "PRAGMA table_info(player)")
}

func indexInfo(_ index: IndexInfo) {
  let _: String = index.name
  let _: [String] = index.columns
  let _: Bool = index.isUnique
  let origin: IndexInfo.Origin = index.origin
  let _: Bool = origin == .createIndex || origin == .uniqueConstraint
  let _: Bool = origin != .primaryKeyConstraint
  let _: String = origin.rawValue
  let _: IndexInfo.Origin = .init(rawValue: "c")
  let _: DatabaseValue = origin.databaseValue
}

func foreignKeyViolation(_ db: Database, _ row: Row) throws {
  var violation = ForeignKeyViolation(row: row)
  violation.originTable = "player"
  violation.originSchema = "archive"
  violation.originRowID = nil
  violation.originRowID = 1
  violation.destinationTable = "team"
  violation.foreignKeyId = 0
  let _: String = try violation.failureDescription(db)
  let _: DatabaseError = violation.databaseError(db)
  let _: String = violation.description
}

func keyInfo(_ key: PrimaryKeyInfo, _ foreignKey: ForeignKeyInfo) {
  let _: [String] = key.columns
  let _: String? = key.rowIDColumn
  let _: Bool = key.isRowID
  var foreignKey = foreignKey
  foreignKey.id = 1
  let _: String = foreignKey.destinationTable
  let _: [(origin: String, destination: String)] = foreignKey.mapping
  let _: [String] = foreignKey.originColumns
  let _: [String] = foreignKey.destinationColumns
}

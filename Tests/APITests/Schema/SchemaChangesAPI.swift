import Quarry
import QuarryMigrations

func triggers(_ db: Database) throws {
  try db.create(trigger: "t", .after, .insert, on: "player") { t in
    t.when(t.new["score"] > 10)
    t.when(sql: "NEW.score > 10")
    t.execute(sql: "DELETE FROM award")
    t.execute(literal: "DELETE FROM award WHERE playerId = \(t.new["id"])")
    t.insert(into: "award", [Column("playerId").set(to: t.new["id"])])
    t.insert(into: "award", [Column("playerId").set(to: 1)], onConflict: .ignore)
    t.insert(into: "award", rowsOf: Player.all())
    t.insert(
      into: "award", columns: ["playerId"], rowsOf: Player.select(Column("id")),
      onConflict: .replace)
    t.select(Player.all())
    t.raise(.abort, "message")
    t.raise(.fail, "message", when: t.new["score"] > 10)
    t.ignore()
    t.ignore(when: t.new["score"] == nil)
  }
  try db.create(
    trigger: "t", .insteadOf, .update(of: ["score"]), on: Player.self,
    options: [.ifNotExists, .temporary]
  ) { t in
    let _: TableAlias<Player> = t.new
    let _: TableAlias<Player> = t.old
    t.update(Player.all(), [Column("score") += 1])
    t.update(Player.all(), [Column("score") += 1], onConflict: .ignore)
    t.delete(Player.filter(Column("id") == t.old["id"]))
  }
  try db.create(trigger: "t", .before, .delete, on: "player") { $0.ignore() }
  try db.create(trigger: "t", .before, .update, on: "player") { t in t.raise(.rollback, "") }
  try db.drop(trigger: "t")
  let _: Int = TriggerOptions(rawValue: 1).rawValue
  let _: Set<TriggerEvent> = [.insert, .update, .delete]
  let _: Set<TriggerTiming> = [.before]
  let _: Set<TriggerFailure> = [.abort]
}

func tableRebuild(_ db: Database) throws {
  try db.rebuild(table: "player") { t in t.column("id") }
  try db.rebuild(
    table: "player", options: .withoutRowID, copying: [Column("score").set(to: 0)]
  ) { t in t.column("id") }
}

func schemaDescription(_ db: Database) throws {
  let schema: DatabaseSchemaDescription = try db.schemaDescription()
  let _: Bool = try db.schemaDescription(in: "temp") == schema
  let _: DatabaseSchemaID = schema.schemaID
  for table in schema.tables {
    let _: (String, String, [String], Bool, Bool) = (
      table.name, table.sql, table.primaryKey, table.hasRowID, table.isVirtual
    )
    for column in table.columns {
      let _: (String, String, Bool, String?, Bool) = (
        column.name, column.type, column.isNotNull, column.defaultValueSQL, column.isGenerated
      )
    }
    for key in table.foreignKeys {
      let _: ([String], String, [String]) = (
        key.columns, key.destinationTable, key.destinationColumns
      )
      let _: (String, String) = (key.onDelete, key.onUpdate)
    }
    for index in table.indexes {
      let _: (String, String?, Bool, Bool, IndexInfo.Origin) = (
        index.name, index.sql, index.isUnique, index.isPartial, index.origin
      )
      let _: [(String?, Bool, String)] = index.terms.map {
        ($0.column, $0.isDescending, $0.collation)
      }
    }
  }
  let _: [[DatabaseSchemaDescription.Column]] = schema.views.map(\.columns)
  let _: [String] = schema.views.map(\.name) + schema.views.map(\.sql)
  let _: [String] = schema.triggers.flatMap { [$0.name, $0.table, $0.sql] }
}

func schemaDifferences(_ db: Database) throws {
  let differences: [SchemaDifference] = try db.schemaDifferences(of: [Player.self])
  _ = try db.schemaDifferences(of: [], associations: [Player.team, Team.players])
  _ = try db.schemaDifferences(of: Player.all())
  for difference in differences {
    let _: (String, String, [String], String) = (
      difference.recordType, difference.table, difference.columns, difference.description
    )
    switch difference.kind {
    case .missingTable, .missingColumn, .nullableColumn, .requiredColumn, .unwrittenColumn,
      .invalidSelection, .missingForeignKey, .undeclaredForeignKey, .missingIndex,
      .unusedAssociation, .ambiguousAssociation:
      break
    }
  }
}

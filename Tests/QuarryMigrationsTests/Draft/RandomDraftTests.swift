import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// Random pairs of schemas: the draft makes the new schema, as pragmas show it, and keeps the data
/// of the columns that both have.
struct RandomDraftTests {
  @Test func `a draft makes the new schema, and keeps the data of both`() throws {
    let run = RandomRun("RandomDraftTests")
    var (rebuilt, altered) = (0, 0)
    try run.repeated(seconds: 2) { random in
      let (old, new) = (RandomSchema(&random), RandomSchema(&random))
      let script = old.sql + old.insertions(&random)
      let queue = try DatabaseQueue()
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        try db.execute(sql: script)
      }
      let context = "seed \(run.seed)\n\(script)-- to\n\(new.sql)"
      let renaming = renames(old, new, &random)
      do {
        let draft = try makeDraft(queue, old, new, renaming)
        if draft.sql.contains("quarry_new_") { rebuilt += 1 }
        if draft.sql.contains("COLUMN") { altered += 1 }
        try check(draft, queue, old, new, renaming, context + "-- by\n" + draft.sql)
      } catch let error as DatabaseError where error.message?.hasPrefix("cannot store") == true {
        // A strict table refuses the values of a generated column.
      } catch {
        Issue.record("\(error)\n\(context)\n\(renaming)")
      }
    }
    #expect(rebuilt > 0 && altered > 0)
  }

  /// Some of the tables and columns that only one of the schemas has.
  private func renames(
    _ old: RandomSchema, _ new: RandomSchema, _ random: inout SplitMix64
  ) -> [String: String] {
    var names: [String: String] = [:]
    let gone = old.tables.map(\.name).filter { !new.tables.map(\.name).contains($0) }
    let added = new.tables.map(\.name).filter { !old.tables.map(\.name).contains($0) }
    if let old = gone.first, let new = added.first, random.chance(2) {
      names[plain(old)] = plain(new)
    }
    for table in old.tables {
      let newName = names[plain(table.name)] ?? plain(table.name)
      guard let twin = new.tables.first(where: { plain($0.name) == newName }) else { continue }
      let gone = table.columns.filter { column in
        !twin.columns.contains { $0.name == column.name }
      }
      let added = twin.columns.filter { column in
        !table.columns.contains { $0.name == column.name }
      }
      if let gone = gone.first, let added = added.first, random.chance(2) {
        names["\(plain(table.name)).\(plain(gone.name))"] = plain(added.name)
      }
    }
    return names
  }

  private func plain(_ name: String) -> String { name.filter { $0 != "\"" } }

  /// Gives the values that are missing.
  private func makeDraft(
    _ queue: DatabaseQueue, _ old: RandomSchema, _ new: RandomSchema, _ renaming: [String: String]
  ) throws -> MigrationDraft {
    let target = try DatabaseQueue()
    try target.write { try $0.execute(sql: new.sql) }
    var values = Dictionary(
      uniqueKeysWithValues: new.tables.flatMap { table in
        newReferences(of: table, old, renaming).map { ("\(plain(table.name)).\($0)", "NULL") }
      })
    do {
      return try MigrationDraft(
        from: queue, to: target, renaming: renaming, values: values, allowing: .dataLoss)
    } catch MigrationDraftError.missingValues(let missing) {
      for value in missing {
        let oldName =
          renaming.first { $0.value == value.table && !$0.key.contains(".") }?.key ?? value.table
        let renamed = renaming.contains {
          $0.key.hasPrefix("\(oldName).") && $0.value == value.column
        }
        let table = old.tables.first { plain($0.name) == oldName }
        let isThere =
          renamed || value.column == "id"
          || table?.columns.contains { plain($0.name) == value.column } == true
        let name = value.column.quotedDatabaseIdentifier
        values["\(value.table).\(value.column)"] = isThere ? "coalesce(\(name), 77)" : "77"
      }
      return try MigrationDraft(
        from: queue, to: target, renaming: renaming, values: values, allowing: .dataLoss)
    }
  }

  /// The columns that had values and become foreign keys, which those would violate.
  private func newReferences(
    of table: RandomSchema.Table, _ old: RandomSchema, _ renaming: [String: String]
  ) -> [String] {
    let oldName = renaming.first { $0.value == plain(table.name) && !$0.key.contains(".") }?.key
    let twin = old.tables.first { plain($0.name) == oldName ?? plain(table.name) }
    return table.columns.filter { $0.definition.contains("REFERENCES") }.map { plain($0.name) }
      .filter { name in
        twin?.columns.contains { column in
          let newName = renaming["\(plain(twin?.name ?? "")).\(plain(column.name))"]
          return (newName ?? plain(column.name)) == name
            && !column.definition.contains("REFERENCES")
        } == true
      }
  }

  private func check(
    _ draft: MigrationDraft, _ queue: DatabaseQueue, _ old: RandomSchema, _ new: RandomSchema,
    _ renaming: [String: String], _ context: String
  ) throws {
    let before = try queue.read { db in try contents(old, db) }
    let rehearsal = try draft.rehearse(queue)
    #expect(rehearsal.isSuccessful, "\(rehearsal)\n\(context)")
    var migrator = DatabaseMigrator()
    migrator.registerMigration("draft") { try $0.execute(sql: draft.sql) }
    try migrator.migrate(queue)
    let expected = try DatabaseQueue()
    try expected.write { try $0.execute(sql: new.sql) }
    try #expect(
      queue.read { try schema(new, $0) } == expected.read { try schema(new, $0) }, "\(context)")
    let after = try queue.read { db in try contents(new, db) }
    for (key, values) in before {
      let (table, column) = key
      let newTable = renaming[table] ?? table
      let newColumn = renaming["\(table).\(column)"] ?? column
      let isReference = new.tables.contains { candidate in
        plain(candidate.name) == newTable
          && newReferences(of: candidate, old, renaming).contains(newColumn)
      }
      guard let twin = after.first(where: { $0.key == (newTable, newColumn) }), !isReference
      else { continue }
      for (id, value) in values {
        let kept = twin.values.first { $0.0 == id }?.1
        #expect(kept == value || value == nil && kept == 77, "\(table).\(column) \(id)\n\(context)")
      }
      #expect(values.count == twin.values.count, "\(table)\n\(context)")
    }
  }

  /// The numbers of each column that is not generated, by the ids of their rows.
  private func contents(
    _ schema: RandomSchema, _ db: Database
  ) throws -> [(key: (String, String), values: [(Int?, Int?)])] {
    try schema.tables.flatMap { table in
      try (["id"] + table.columns.filter { !$0.isGenerated }.map(\.name)).map { column in
        let rows = try Row.fetchAll(
          db, sql: "SELECT id, CAST(\(column) AS INTEGER) FROM \(table.name) ORDER BY id")
        return ((plain(table.name), plain(column)), rows.map { ($0[0], $0[1]) })
      }
    }
  }

  /// What pragmas say about the schema.
  private func schema(_ schema: RandomSchema, _ db: Database) throws -> [String] {
    var lines = try String.fetchAll(
      db,
      sql: """
        SELECT type || name || CASE type WHEN 'table' THEN '' ELSE sql END FROM sqlite_master
        WHERE name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%' ORDER BY type, name
        """)
    for table in schema.tables {
      lines += try String.fetchAll(
        db,
        sql: """
          SELECT json_array(name, type, "notnull", dflt_value, pk, hidden)
          FROM pragma_table_xinfo(?) ORDER BY name
          """, arguments: [plain(table.name)])
      lines += try String.fetchAll(
        db,
        sql: """
          SELECT json_array("table", "from", "to", on_delete) FROM pragma_foreign_key_list(?)
          ORDER BY "from"
          """, arguments: [plain(table.name)])
      lines += try String.fetchAll(
        db,
        sql: """
          SELECT json_array(l.name, l."unique", l.origin, i.name, i."desc", i.coll)
          FROM pragma_index_list(?) l, pragma_index_xinfo(l.name) i WHERE l.origin <> 'c' OR i.key
          ORDER BY l.origin, l.name, i.seqno
          """, arguments: [plain(table.name)]
      ).map { $0.replacing(#/sqlite_autoindex_[^"]*/#, with: "auto") }
        .sorted()
    }
    return lines
  }
}

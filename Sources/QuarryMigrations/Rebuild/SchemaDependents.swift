import Quarry

/// The objects that depend on a table that is dropped and created again.
struct SchemaDependents {
  private let table: DatabaseObjectID
  /// The indexes and triggers of the table, to create again.
  private let objects: [Dependent]
  /// The names of the columns, before.
  private let columns: [String]
  /// The views, and the tables and views with triggers, that compile.
  private let probes: [SchemaProbe]

  init(of table: DatabaseObjectID, _ db: Database) throws {
    self.table = table
    objects = try Self.objects(of: table, db)
    columns = try db.columns(in: table.name, in: table.schemaID.name).map(\.name)
    probes = try SchemaProbe.all(db).filter { $0.failure(db) == nil }
  }

  /// Creates the indexes and triggers again, and checks that all views and triggers still compile.
  /// An index that the definition has made already must be the same.
  ///
  /// - Throws: `DatabaseError` that names the object that does not.
  func restore(_ db: Database) throws {
    let present = try Self.objects(of: table, db)
    for object in objects {
      do {
        guard let other = present.first(where: { $0.key == object.key }) else {
          try db.execute(sql: object.sql)
          continue
        }
        guard SQLLexer.tokens(ofSchema: other.sql).key == SQLLexer.tokens(ofSchema: object.sql).key
        else { throw DatabaseError(message: "the definition has another index of this name") }
      } catch let error as DatabaseError {
        throw misfit(object.description, error)
      }
    }
    try checkUpdatedColumns(of: objects, db)
    for probe in probes {
      if let error = probe.failure(db) { throw misfit(probe.description, error) }
    }
  }

  /// SQLite takes any name after `UPDATE OF`: the trigger would never run.
  private func checkUpdatedColumns(of triggers: [Dependent], _ db: Database) throws {
    let present = try db.columns(in: table.name, in: table.schemaID.name).map(\.name)
    let lost = columns.filter { name in !present.contains { $0.isSameIdentifier(as: name) } }
    for trigger in triggers where trigger.object.type == "trigger" {
      let updated = SQLLexer.updatedColumns(ofTrigger: trigger.sql)
      let column = updated.first { name in lost.contains { $0.isSameIdentifier(as: name) } }
      guard let column else { continue }
      let error = DatabaseError(message: "no such column: \(column)", sql: trigger.sql)
      throw misfit(trigger.description, error)
    }
  }

  private func misfit(_ object: String, _ error: DatabaseError) -> DatabaseError {
    DatabaseError(
      resultCode: error.extendedResultCode,
      message: "\(object) does not fit the rebuilt table \(table.name): \(error.message ?? "")",
      sql: error.sql)
  }

  /// An index or a trigger of the table.
  private struct Dependent: CustomStringConvertible {
    let object: SchemaObject
    let schema: DatabaseSchemaID

    var description: String { "\(object.type) \(object.name)" }

    var key: DatabaseObjectID {
      DatabaseObjectID(name: object.name.identifierKey.text, schemaID: schema)
    }

    /// SQLite does not keep the `TEMP` of temporary triggers.
    var sql: String {
      let sql = object.sql ?? ""
      let prefix = "CREATE TRIGGER "
      guard schema == .temp, sql.hasPrefix(prefix) else { return sql }
      return "CREATE TEMP TRIGGER \(sql.dropFirst(prefix.count))"
    }
  }

  /// Triggers of the temporary schema may be on tables of the main one.
  private static func objects(of table: DatabaseObjectID, _ db: Database) throws -> [Dependent] {
    try db.schema.catalogs(named: nil).flatMap { catalog in
      try db.readObjects(of: catalog.id).filter { object in
        guard object.sql != nil, object.tableName.isSameIdentifier(as: table.name) else {
          return false
        }
        return switch object.type {
        case "trigger": catalog.id == table.schemaID || catalog.id == .temp
        case "index": catalog.id == table.schemaID
        default: false
        }
      }.map { Dependent(object: $0, schema: catalog.id) }
    }
  }
}

/// A statement that compiles a view, or the triggers of a table or view, without running them.
struct SchemaProbe: CustomStringConvertible {
  /// The event of the triggers. Nil for a view.
  let event: TriggerEvent?
  let schema: DatabaseSchemaID
  /// The view, or the table or view with triggers.
  let name: String

  var description: String { event == nil ? "view \(name)" : "a trigger on \(name)" }

  static func all(_ db: Database) throws -> [SchemaProbe] {
    var probes: [SchemaProbe] = []
    for catalog in try db.schema.catalogs(named: nil) {
      let objects = try db.readObjects(of: catalog.id)
      probes += objects.filter { $0.type == "view" }.map {
        SchemaProbe(event: nil, schema: catalog.id, name: $0.name)
      }
      let tables = Set(objects.filter { $0.type == "trigger" }.map { BinaryText($0.tableName) })
      for table in tables.sorted() {
        probes += [.insert, .update, .delete].map {
          SchemaProbe(event: $0, schema: catalog.id, name: table.text)
        }
      }
    }
    return probes
  }

  /// Why the statement does not compile.
  func failure(_ db: Database) -> DatabaseError? {
    do {
      return try db.failure(ofCompiling: sql(db))
    } catch {
      return error as? DatabaseError
    }
  }

  /// Whether the statement compiles a view or trigger.
  func compiles(_ object: SchemaModel.Object) -> Bool {
    guard event != nil else {
      return object.kind == "view" && object.name.isSameIdentifier(as: name)
    }
    return object.kind == "trigger" && object.table.isSameIdentifier(as: name)
  }

  private func sql(_ db: Database) throws -> String {
    let table = name.quotedDatabaseIdentifier
    guard let event else { return "SELECT * FROM \(schema.sqlName).\(table)" }
    let columns = try event == .update ? db.schema.columns(of: name) : []
    return event.probeSQL(
      of: table, updating: columns.filter { !$0.isGenerated }.map(\.name))
  }
}

extension SQLLexer {
  /// The columns after `UPDATE OF` in a statement that creates a trigger.
  fileprivate static func updatedColumns(ofTrigger sql: String) -> [String] {
    // Its name, and those of the columns, are keywords in quotes only.
    let start = tokens(ofSchema: sql).prefix { !$0.isOne(of: "ON") }
    guard let event = start.firstIndex(where: { $0.isOne(of: "UPDATE") }) else { return [] }
    return start[event...].dropFirst(2).filter { $0.kind != .symbol }.map(\.name)
  }
}

import Quarry

/// The objects that depend on a table that is dropped and created again.
struct SchemaDependents {
  private let table: DatabaseObjectID
  /// The indexes and triggers of the table, to create again.
  private let objects: [Dependent]
  /// The views, and the tables and views with triggers, that compile.
  private let probes: [SchemaProbe]

  init(of table: DatabaseObjectID, _ db: Database) throws {
    self.table = table
    objects = try Self.objects(of: table, db)
    probes = try SchemaProbe.all(db).filter { $0.failure(db) == nil }
  }

  /// Creates the indexes and triggers again, and checks that all views and triggers still compile.
  ///
  /// - Throws: `DatabaseError` that names the object that does not.
  func restore(_ db: Database) throws {
    let present = try Set(Self.objects(of: table, db).map(\.key))
    for object in objects where !present.contains(object.key) {
      do {
        try db.execute(sql: object.sql)
      } catch let error as DatabaseError {
        throw misfit("\(object.object.type) \(object.object.name)", error)
      }
    }
    for probe in probes {
      if let error = probe.failure(db) { throw misfit(probe.description, error) }
    }
  }

  private func misfit(_ object: String, _ error: DatabaseError) -> DatabaseError {
    DatabaseError(
      resultCode: error.extendedResultCode,
      message: "\(object) does not fit the rebuilt table \(table.name): \(error.message ?? "")",
      sql: error.sql)
  }

  /// An index or a trigger of the table.
  private struct Dependent {
    let object: SchemaObject
    let schema: DatabaseSchemaID

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
private struct SchemaProbe: CustomStringConvertible {
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
      _ = try db.makeStatement(sql: sql(db))
      return nil
    } catch {
      return error as? DatabaseError
    }
  }

  private func sql(_ db: Database) throws -> String {
    let table = name.quotedDatabaseIdentifier
    guard let event else { return "SELECT * FROM \(schema.sqlName).\(table)" }
    let columns = try event == .update ? db.schema.columns(of: name) : []
    return event.probeSQL(
      of: table, updating: columns.filter { !$0.isGenerated }.map(\.name))
  }
}

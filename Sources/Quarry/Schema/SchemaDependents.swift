/// What hangs on a table that is dropped and created again.
struct SchemaDependents {
  private let table: DatabaseObjectID
  /// The indexes and triggers of the table, to create again.
  private let objects: [SchemaObject]
  /// The statements that compile: reads of views, and changes of what has triggers.
  private let probes: [(object: String, sql: String)]

  init(of table: DatabaseObjectID, _ db: Database) throws {
    self.table = table
    objects = try Self.objects(of: table, db)
    probes = try Self.probes(db).filter { probe in
      (try? db.makeStatement(sql: probe.sql)) != nil
    }
  }

  /// Creates the indexes and triggers again, and checks that all views and triggers still compile.
  ///
  /// - Throws: ``DatabaseError`` that names the object that does not.
  func restore(_ db: Database) throws {
    let present = try Set(Self.objects(of: table, db).map(\.name.identifierKey))
    for object in objects where !present.contains(object.name.identifierKey) {
      guard let sql = object.sql else { continue }
      do {
        try db.execute(sql: sql)
      } catch let error as DatabaseError {
        throw misfit("\(object.type) \(object.name)", error)
      }
    }
    for probe in probes {
      do {
        _ = try db.makeStatement(sql: probe.sql)
      } catch let error as DatabaseError {
        throw misfit(probe.object, error)
      }
    }
  }

  private func misfit(_ object: String, _ error: DatabaseError) -> DatabaseError {
    DatabaseError(
      resultCode: error.extendedResultCode,
      message: "\(object) does not fit the rebuilt table \(table.name): \(error.message ?? "")",
      sql: error.sql)
  }

  /// Triggers of the temporary schema may be on tables of the main one.
  private static func objects(of table: DatabaseObjectID, _ db: Database) throws -> [SchemaObject]
  {
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
      }
    }
  }

  private static func probes(_ db: Database) throws -> [(object: String, sql: String)] {
    var probes: [(object: String, sql: String)] = []
    for catalog in try db.schema.catalogs(named: nil) {
      for object in try db.readObjects(of: catalog.id) {
        let name = "\(catalog.id.sqlName).\(object.name.quotedDatabaseIdentifier)"
        if object.type == "view" {
          probes.append((object: "view \(object.name)", sql: "SELECT * FROM \(name)"))
        } else if object.type == "trigger" {
          probes += triggerProbes(object, db)
        }
      }
    }
    return probes
  }

  /// A trigger is compiled with the statements that run it.
  private static func triggerProbes(
    _ trigger: SchemaObject, _ db: Database
  ) -> [(object: String, sql: String)] {
    let table = trigger.tableName.quotedDatabaseIdentifier
    let columns = (try? db.schema.columnNames(of: trigger.tableName)) ?? []
    let assignments = columns.map(\.quotedDatabaseIdentifier).map { "\($0) = \($0)" }
    return [
      "INSERT INTO \(table) DEFAULT VALUES", "DELETE FROM \(table)",
      "UPDATE \(table) SET \(assignments.joined(separator: ", "))",
    ].map { (object: "trigger \(trigger.name)", sql: $0) }
  }
}

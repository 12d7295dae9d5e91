import Quarry

/// The schema that record types want: the present one, changed where they don't fit it.
struct RecordSchema {
  private(set) var wanted: SchemaModel
  private(set) var unknownColumns: [String] = []
  private let old: SchemaModel
  private var tables: [WantedTable]

  init(
    _ db: Database, _ types: [any TableRecord.Type], renaming: [String: String],
    definitions: [String: String], dropping: [String]
  ) throws {
    let old = try SchemaModel(db).renamed(renaming, db)
    (wanted, self.old) = (old, old)
    tables = Self.tables(of: types, old)
    try checkTables(db)
    for (name, sql) in definitions.sorted(by: { $0.key < $1.key }) {
      let (index, column) = try place(name)
      try tables[index].define(column, sql)
    }
    for index in tables.indices { try tables[index].fit() }
    let problems = tables.flatMap(\.problems)
    if !problems.isEmpty { throw MigrationDraftError.recordTypes(problems) }
    for name in dropping { try drop(name) }
    for table in tables {
      unknownColumns += table.unknownColumns
      if table.isChanged { wanted.setTable(table.name, sql: table.sql) }
    }
    try checkSQL(db)
  }

  private static func tables(
    of types: [any TableRecord.Type], _ old: SchemaModel
  ) -> [WantedTable] {
    var shapes: [(name: String, shapes: [RecordShape])] = []
    for type in types {
      let name = type.databaseTableName
      let index = shapes.firstIndex { $0.name.isSameIdentifier(as: name) } ?? shapes.count
      if index == shapes.count { shapes.append((name, [])) }
      shapes[index].shapes.append(RecordShape(type))
    }
    return shapes.map { WantedTable($0.name, old.table($0.name), $0.shapes) }
  }

  private func checkTables(_ db: Database) throws {
    let schemas = try String.fetchAll(db, sql: "SELECT name FROM pragma_database_list")
    for name in tables.map(\.name) where old.table(name) == nil {
      for kind in ["view", "virtual table"] where old.object(kind, name) != nil {
        throw MigrationDraftError.invalidName(
          name, reason: "it is a \(kind), which is not made from record types: leave them out")
      }
      let prefix = name.split(separator: ".").first.map(String.init) ?? ""
      if name.contains("."), schemas.contains(where: prefix.isSameIdentifier) {
        throw MigrationDraftError.invalidName(
          name, reason: "drafts are made for the main schema: leave its record types out")
      }
    }
  }

  /// The table of a name, and the column if it has one.
  private func place(_ name: String) throws -> (Int, String?) {
    if let index = tables.firstIndex(where: { $0.name.isSameIdentifier(as: name) }) {
      return (index, nil)
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw MigrationDraftError.invalidName(
        name, reason: "write the name as table.column, or give the table of a record type")
    }
    guard let index = tables.firstIndex(where: { $0.name.isSameIdentifier(as: parts[0]) }) else {
      throw MigrationDraftError.invalidName(
        name, reason: "\(parts[0]) is the table of none of the record types")
    }
    return (index, parts[1])
  }

  private mutating func drop(_ name: String) throws {
    let (index, column) = try place(name)
    let invalid = { MigrationDraftError.invalidName(name, reason: $0) }
    guard let column, let table = old.table(tables[index].name) else {
      throw invalid("give a column of a table that exists, as table.column")
    }
    guard let item = tables[index].item(column) else {
      throw invalid("the table has no such column")
    }
    guard item.wishes.isEmpty else { throw invalid("\(item.titles) is stored in it") }
    if item.isDefined { throw invalid("it is in definitions, too") }
    if let user = old.user(ofColumn: item.name, in: table) {
      throw invalid("\(user) names it, or seems to: change that first")
    }
    tables[index].drop(column)
  }

  /// SQLite accepts the tables, which have the columns that are meant.
  private func checkSQL(_ db: Database) throws {
    try db.withTemporaryDatabase { queue in
      try queue.inDatabase { scratch in
        for table in tables where table.isChanged {
          let columns = TableText(name: table.name, sql: table.sql).columns.map(\.name)
          do { try scratch.execute(sql: table.sql) } catch let error as DatabaseError {
            throw MigrationDraftError.recordTypes([
              "\(table.name): \(error.message ?? "\(error)") - in \(table.sql)"
            ])
          }
          guard columns == table.items.map(\.name) else {
            throw MigrationDraftError.invalidName(
              table.name, reason: "a definition is more than that of its column: \(table.sql)")
          }
        }
      }
    }
  }
}

extension SchemaModel {
  /// The schema with new names. What can't be renamed stays: `DraftRenames` throws for it.
  fileprivate func renamed(_ names: [String: String], _ db: Database) throws -> SchemaModel {
    let steps = possibleRenames(names)
    if steps.isEmpty { return self }
    return try db.withTemporaryDatabase { queue in
      try queue.inDatabase { scratch in
        try scratch.execute(sql: "PRAGMA foreign_keys = OFF")
        for table in tables { try scratch.execute(sql: table.sql) }
        // One may need a module, a collation or a function of the application.
        for kind in ["virtual table", "index", "view", "trigger"] {
          for object in objects(kind) { try? scratch.execute(sql: object.sql) }
        }
        for step in steps { try scratch.execute(sql: step.sql(self)[0]) }
        return try adding(objectsMissingIn: SchemaModel(scratch))
          .followed(byFullTextTables: steps)
      }
    }
  }

  private func possibleRenames(_ names: [String: String]) -> [DraftStep] {
    let sorted = names.sorted { $0.key < $1.key }
    let tables = sorted.filter { table($0.key) != nil && table($0.value) == nil }
    let columns = sorted.compactMap { name, newName -> DraftStep? in
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard table(name) == nil, parts.count == 2, let table = table(parts[0]),
        table.column(parts[1]) != nil, table.column(newName) == nil
      else { return nil }
      let tableName = tables.first { $0.key.isSameIdentifier(as: parts[0]) }?.value ?? table.name
      return .renameColumn(parts[1], to: newName, table: tableName)
    }
    return tables.map { .renameTable($0.key, to: $0.value) } + columns
  }

  private func adding(objectsMissingIn model: SchemaModel) -> SchemaModel {
    var model = model
    for object in objects where model.object(object.kind, object.name) == nil { model.add(object) }
    return model
  }

  /// What names a column: part of its table, an index, a foreign key, or a view or trigger that
  /// names the table too.
  fileprivate func user(ofColumn column: String, in table: TableText) -> String? {
    if table.primaryKey.contains(where: column.isSameIdentifier) { return "the primary key" }
    for other in table.columns where !other.name.isSameIdentifier(as: column) {
      if other.clauses.contains(where: { $0.tokens.name(column) }) { return "column \(other.name)" }
    }
    if table.constraints.contains(where: { $0.tokens.name(column) }) { return "a constraint" }
    let referring = tables.first { other in
      other.allClauses.contains { $0.refers(to: column, in: table.name) }
    }
    if let referring { return "a foreign key of \(referring.name)" }
    return objects.first { $0.tokens.name(table.name) && $0.tokens.name(column) }?.title
  }
}

extension TableText {
  /// The tokens of its constraints, and of the clauses of its columns.
  fileprivate var allClauses: [[SQLToken]] {
    constraints.map(\.tokens) + columns.flatMap { $0.clauses.map(\.tokens) }
  }
}

extension [SQLToken] {
  /// Whether they are a foreign key to a column.
  fileprivate func refers(to column: String, in table: String) -> Bool {
    guard let start = firstIndex(where: { $0.isOne(of: "REFERENCES") }) else { return false }
    return name(table) && self[start...].name(column)
  }
}

extension Sequence<SQLToken> {
  fileprivate func name(_ name: String) -> Bool { contains { $0.names(name) } }
}

import Quarry

/// The new names of tables and columns.
struct DraftRenames {
  /// `(player, person)`
  private(set) var tables: [(old: String, new: String)] = []
  /// `(player, name, fullName)`
  private(set) var columns: [(table: String, old: String, new: String)] = []

  init(_ names: [String: String], old: SchemaModel, new: SchemaModel) throws {
    let sorted = names.sorted { $0.key < $1.key }
    for (name, newName) in sorted where old.table(name) != nil || !name.contains(".") {
      try addTable(name, newName, old, new)
    }
    for (name, newName) in sorted where old.table(name) == nil && name.contains(".") {
      try addColumn(name, newName, old, new)
    }
    for (name, newName) in sorted where tables.count(where: { $0.new == newName }) > 1 {
      throw MigrationDraftError.invalidName(name, reason: "several tables are to be \(newName)")
    }
  }

  private mutating func addTable(
    _ name: String, _ newName: String, _ old: SchemaModel, _ new: SchemaModel
  ) throws {
    guard let table = old.table(name) else {
      throw invalid(name, "the old schema has no such table")
    }
    if new.table(name) != nil {
      throw invalid(name, "the new schema has this table too: only what it lacks is renamed")
    }
    guard let newTable = new.table(newName) else {
      throw invalid(name, "the new schema has no table \(newName)")
    }
    if old.table(newName) != nil {
      throw invalid(name, "the old schema has the table \(newName) already")
    }
    tables.append((table.name, newTable.name))
  }

  private mutating func addColumn(
    _ name: String, _ newName: String, _ old: SchemaModel, _ new: SchemaModel
  ) throws {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { throw invalid(name, "write the name as table.column") }
    guard let table = old.table(parts[0]) else {
      throw invalid(name, "the old schema has no table \(parts[0])")
    }
    guard let column = table.column(parts[1]) else {
      throw invalid(name, "the table has no column \(parts[1])")
    }
    let newTableName = self.newName(ofTable: table.name)
    guard let newTable = new.table(newTableName) else {
      throw invalid(name, "the new schema has no table \(newTableName)")
    }
    if newTable.column(column.name) != nil {
      throw invalid(name, "the new table has this column too: only what it lacks is renamed")
    }
    guard let newColumn = newTable.column(newName) else {
      throw invalid(name, "the new table has no column \(newName)")
    }
    if table.column(newName) != nil {
      throw invalid(name, "the old table has the column \(newName) already")
    }
    columns.append((table.name, column.name, newColumn.name))
    if columns.count(where: { $0.table == table.name && $0.new == newColumn.name }) > 1 {
      throw invalid(name, "several columns are to be \(newColumn.name)")
    }
  }

  func newName(ofTable name: String) -> String {
    tables.first { $0.old.isSameIdentifier(as: name) }?.new ?? name
  }

  func oldName(ofTable name: String) -> String {
    tables.first { $0.new.isSameIdentifier(as: name) }?.old ?? name
  }

  func newName(ofColumn name: String, in oldTable: String) -> String {
    columns.first { $0.table.isSameIdentifier(as: oldTable) && $0.old.isSameIdentifier(as: name) }?
      .new ?? name
  }

  func oldName(ofColumn name: String, in oldTable: String) -> String {
    columns.first { $0.table.isSameIdentifier(as: oldTable) && $0.new.isSameIdentifier(as: name) }?
      .old ?? name
  }

  /// Columns by the names that their tables have then.
  var steps: [DraftStep] {
    tables.map { .renameTable($0.old, to: $0.new) }
      + columns.map { .renameColumn($0.old, to: $0.new, table: newName(ofTable: $0.table)) }
  }

  private func invalid(_ name: String, _ reason: String) -> MigrationDraftError {
    .invalidName(name, reason: reason)
  }
}

/// The SQL of values that are given for columns, by their new names.
struct DraftValues {
  private var values: [(table: String, column: String, sql: String)] = []

  init(_ values: [String: String], new: SchemaModel) throws {
    for (name, sql) in values.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else {
        throw MigrationDraftError.invalidName(name, reason: "write the name as table.column")
      }
      guard let table = new.table(parts[0]), let column = table.column(parts[1]) else {
        throw MigrationDraftError.invalidName(name, reason: "the new schema has no such column")
      }
      guard !column.isGenerated else {
        throw MigrationDraftError.invalidName(name, reason: "the column is generated")
      }
      self.values.append((table.name, column.name, sql))
    }
  }

  /// - parameter db: A database with the old tables, after they have been renamed.
  /// - throws: ``MigrationDraftError`` for a value that does not compile, or is an aggregate.
  func check(_ db: Database) throws {
    for value in values where try db.tableExists(value.table) {
      let reason: String
      do {
        guard try db.isAggregate(value.sql, of: value.table) else { continue }
        reason = "it is an aggregate, which makes one row of all: write a subquery"
      } catch let error as DatabaseError {
        if error.isMissingFunction { continue }
        reason = [error.message, error.details].compactMap { $0 }.joined(separator: ", ")
      }
      throw MigrationDraftError.invalidValue(
        "\(value.table).\(value.column)", sql: value.sql, reason: reason)
    }
  }

  func of(_ table: String) -> [(column: String, sql: String)] {
    values.filter { $0.table.isSameIdentifier(as: table) }.map { ($0.column, $0.sql) }
  }

  func has(_ column: String, in table: String) -> Bool {
    of(table).contains { $0.column.isSameIdentifier(as: column) }
  }
}

extension DatabaseError {
  /// The function may be one that the application adds to its connections.
  fileprivate var isMissingFunction: Bool { message?.hasPrefix("no such function: ") == true }
}

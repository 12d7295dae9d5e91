import Quarry

/// A step of a drafted migration.
enum DraftStep: Sendable {
  case drop(SchemaModel.Object)
  case dropTable(String)
  case renameTable(String, to: String)
  case renameColumn(String, to: String, table: String)
  case addColumn(String, table: String)
  case dropColumn(String, table: String)
  case createTable(String)
  case rebuild(TableCopy)
  case create(SchemaModel.Object)
  /// A command for a full-text table, as SQL.
  case command(_ table: String, sql: String)
}

/// The rows of a table that is made anew.
struct TableCopy: Sendable {
  let table: String
  let oldSQL: String
  let newSQL: String
  /// SQL for columns that have other values than those of the same column.
  let values: [(column: String, sql: String)]
  /// The indexes that stay.
  let indexes: [SchemaModel.Object]
  /// The full-text tables that stay, and have their texts in the table.
  let fullTextTables: [SchemaModel.Object]

  var old: TableText { TableText(name: table, sql: oldSQL) }
  var new: TableText { TableText(name: table, sql: newSQL) }

  /// The names of the full-text tables whose rowids or texts may be others than before.
  var staleFullTextTables: [String] {
    let changed = changedColumns
    return fullTextTables.filter { object in
      guard let changed, let names = ModuleArguments(sql: object.sql)?.contentColumns else {
        return true
      }
      return names.isEmpty || names.contains { changed.contains($0.identifierKey) }
    }.map(\.name)
  }

  /// The columns whose values may be others than before, since they are given, converted or
  /// computed anew. Nil if the rowids may be others, those of a column with values, or go.
  var changedColumns: Set<BinaryText>? {
    let (old, new) = (old, new)
    if old.rowIDName != nil, new.rowIDName == nil { return nil }
    var changed = Set(values.map(\.column.identifierKey))
    for column in new.columns {
      let (key, isAlias) = (column.name.identifierKey, column.name == new.rowIDAlias)
      if isAlias, changed.contains(key) { return nil }
      guard let own = old.column(column.name) else { continue }
      if isAlias, own.name != old.rowIDAlias { return nil }
      if own.isGenerated || column.isGenerated || old.affinity(of: own) != new.affinity(of: column)
      {
        changed.insert(key)
      }
    }
    return changed
  }

  /// SQL for a column of the new table that has another value than the same column.
  func value(of column: String) -> String? {
    values.first { $0.column.isSameIdentifier(as: column) }?.sql
  }

  /// The columns to fill, with their values.
  var assignments: [(column: String, sql: String)] {
    let (old, new) = (old, new)
    let (oldRowID, newRowID) = (old.rowIDName, new.rowIDName)
    // A column that begins to show the rowids keeps them.
    let alias = oldRowID == nil ? nil : new.rowIDAlias
    var rowID: [(column: String, sql: String)] = []
    if alias == nil, let oldRowID, let newRowID { rowID = [(newRowID, oldRowID)] }
    let columns = new.columns.filter { !$0.isGenerated }.compactMap { column in
      let (value, own) = (value(of: column.name), old.column(column.name))
      let shown = column.name == alias ? oldRowID : nil
      // SQLite would give a new key to a row with NULL. This text is an error.
      let mayLackKey =
        column.name == new.rowIDAlias && (value != nil || own.map(old.needsValue) == false)
      return (value ?? own?.name.quotedDatabaseIdentifier ?? shown).map { sql in
        (column.name.quotedDatabaseIdentifier, mayLackKey ? "coalesce(\(sql), 'no key')" : sql)
      }
    }
    // Of a row whose columns all go, the rowid stays if it is hidden.
    return columns.isEmpty && old.rowIDAlias != nil ? [] : rowID + columns
  }
}

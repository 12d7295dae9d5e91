// The columns that `belongsTo` stands for.
extension TableResolver {
  /// A column of a primary key.
  struct KeyColumn {
    /// The end of the name of the referencing column.
    var suffix: String
    var destination: String
    var type: Database.ColumnType?

    static let rowid = KeyColumn(suffix: "Id", destination: "rowid", type: .integer)
  }

  func columns(of foreignKey: BelongsToModel) throws -> ([ColumnModel], ReferenceModel) {
    let destination = try destinationTable(of: foreignKey)
    let key = try isSelf(destination) ? selfKey() : self.key(of: destination)
    let reference = ReferenceModel(
      table: destination, columns: key.map(\.destination), onDelete: foreignKey.onDelete,
      onUpdate: foreignKey.onUpdate, isDeferred: foreignKey.isDeferred)
    var columns = key.map { column in
      ColumnModel(
        name: foreignKey.name + column.suffix.uppercasingFirstLetter, type: column.type,
        notNull: foreignKey.notNull)
    }
    if columns.count == 1 {
      columns[0].references = [reference]
      if foreignKey.isUnique {
        columns[0].index = .unique(ConflictClause())
      } else if foreignKey.isIndexed {
        columns[0].index = .plain
      }
    }
    return (columns, reference)
  }

  /// The primary key that the definition itself declares, else the rowid.
  func selfKey() throws -> [KeyColumn] {
    let columns: [ColumnModel] =
      switch table.primaryKey {
      case .columns(let names, _):
        try names.map { name in
          try declaredColumns(table.items).first { $0.name.isSameIdentifier(as: name) }
            ?? ColumnModel(name: name)
        }
      case .items(let range, _): try keyColumns(table.items[range])
      case nil: try declaredColumns(table.items).filter { $0.primaryKey != nil }
      }
    if columns.isEmpty { return [.rowid] }
    return columns.map { KeyColumn(suffix: $0.name, destination: $0.name, type: $0.type) }
  }

  /// - Throws: ``DatabaseError`` for a key that references the table itself: it would consist of
  ///   itself.
  private func keyColumns(_ items: some Sequence<TableModel.Item>) throws -> [ColumnModel] {
    for case .belongsTo(let foreignKey) in items
    where try isSelf(destinationTable(of: foreignKey.model)) {
      throw DatabaseError.noSuchTable(name.name)
    }
    return try declaredColumns(items)
  }

  /// Columns that reference the table itself are left out: they depend on its key.
  private func declaredColumns(_ items: some Sequence<TableModel.Item>) throws -> [ColumnModel] {
    try items.flatMap { item -> [ColumnModel] in
      switch item {
      case .column(let column): [column.model]
      case .belongsTo(let foreignKey):
        try isSelf(destinationTable(of: foreignKey.model)) ? [] : columns(of: foreignKey.model).0
      case .rawColumn, .foreignKey: []
      }
    }
  }

  private func key(of destination: String) throws -> [KeyColumn] {
    let table = try parents.lookUpName(of: destination)
    let key = try schema.primaryKey(of: table)
    if key.isHiddenRowID { return [.rowid] }
    let columns = try schema.columns(of: table)
    return key.columns.map { name in
      let type = columns.first { $0.name.isSameIdentifier(as: name) }?.type ?? ""
      return KeyColumn(
        suffix: name, destination: name,
        type: type.isEmpty ? nil : Database.ColumnType(rawValue: type))
    }
  }

  private func destinationTable(of foreignKey: BelongsToModel) throws -> String {
    if let table = foreignKey.table {
      let destination = try parents.referenceName(of: table)
      return isSelf(destination) ? name.name : destination
    }
    let destination = foreignKey.name
    if name.name.singularized.isSameIdentifier(as: destination.singularized) { return name.name }
    let candidates = [destination, destination.pluralized]
    for candidate in candidates where try schema.exists(parents.lookUpName(of: candidate)) {
      return candidate
    }
    var error = try DatabaseError.noSuchTable(parents.lookUpName(of: destination))
    error.details =
      "belongsTo(\"\(destination)\") in the table \(name.name) looks for a table "
      + "\(candidates.joined(separator: " or ")): create it before, or name it with `inTable:`"
    throw error
  }

  private func isSelf(_ other: String) -> Bool { other.isSameIdentifier(as: name.name) }
}

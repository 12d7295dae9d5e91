extension DefinitionWriter {
  /// `"pages" INTEGER NOT NULL DEFAULT 0`
  mutating func write(_ column: ColumnModel) throws {
    buffer.append(identifier: column.name)
    if let type = column.type {
      buffer.append(" ")
      buffer.append(text: type.rawValue)
    }
    writeKeys(of: column)
    for check in column.checks {
      buffer.append(" ")
      try write(check: check)
    }
    if let value = column.defaultValue {
      buffer.append(" DEFAULT ")
      try write(value)
    }
    if let collation = column.collation {
      buffer.append(" COLLATE ")
      buffer.append(text: collation)
    }
    for reference in column.references {
      buffer.append(" ")
      write(reference)
    }
    if let (expression, qualification) = column.generation {
      buffer.append(" GENERATED ALWAYS AS (")
      try write(expression)
      buffer.append(qualification == .stored ? ") STORED" : ") VIRTUAL")
    }
  }

  private mutating func writeKeys(of column: ColumnModel) {
    if let primaryKey = column.primaryKey {
      buffer.append(" PRIMARY KEY")
      write(primaryKey.conflict)
      if primaryKey.isAutoincremented { buffer.append(" AUTOINCREMENT") }
    }
    if let conflict = column.notNull {
      buffer.append(" NOT NULL")
      write(unlessDefault: conflict)
    }
    if case .unique(let conflict) = column.index {
      buffer.append(" UNIQUE")
      write(unlessDefault: conflict)
    }
  }

  /// `REFERENCES "author"("id") ON DELETE CASCADE`
  mutating func write(_ reference: ReferenceModel) {
    buffer.append("REFERENCES ")
    buffer.append(identifier: reference.table)
    buffer.append("(")
    buffer.append(identifiers: reference.columns ?? [])
    buffer.append(")")
    if let action = reference.onDelete {
      buffer.append(" ON DELETE ")
      buffer.append(text: action.rawValue)
    }
    if let action = reference.onUpdate {
      buffer.append(" ON UPDATE ")
      buffer.append(text: action.rawValue)
    }
    if reference.isDeferred { buffer.append(" DEFERRABLE INITIALLY DEFERRED") }
  }
}

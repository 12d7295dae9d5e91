extension SQLWriter {
  mutating func write(list selection: [SQLSelection]) throws {
    for (index, item) in selection.enumerated() {
      if index > 0 { buffer.append(", ") }
      try write(item)
    }
  }

  mutating func write(_ selection: SQLSelection) throws {
    switch selection.node {
    case .allColumns:
      writeAllColumns()
    case .allColumnsExcluding(let excluded):
      try writeAllColumns(excluding: excluded)
    case .expression(let expression):
      try write(expression)
    case .aliased(let expression, let name):
      try write(expression)
      buffer.append(" AS ")
      buffer.append(identifier: name)
    case .literal(let sql):
      try write(sql)
    case .primaryKey:
      write(columns: try plan.context.schema.primaryKeyColumns(of: currentSource()))
    case .qualified(let inner, let alias):
      let saved = current
      current = try source(of: alias)
      try write(inner)
      current = saved
    case .invalid(let fault):
      throw fault
    }
  }

  private mutating func writeAllColumns() {
    if isCurrentQualified {
      buffer.append(identifier: currentName)
      buffer.append(".")
    }
    buffer.append("*")
  }

  private mutating func writeAllColumns(excluding excluded: Set<String>) throws {
    let source = try currentSource()
    guard let columns = try plan.context.schema.columnNamesIfKnown(of: source) else {
      throw InvalidRequest(
        "Can't leave out columns of \(source.description): their names are known to SQLite only. "
          + "To fix this error, list them in CommonTableExpression(named:columns:request:).")
    }
    let kept = columns.filter { !excluded.contains($0.lowercased()) }
    if kept.count == columns.count {
      writeAllColumns()
    } else if kept.isEmpty {
      throw InvalidRequest("Can't generate SQL with an empty selection")
    } else {
      write(columns: kept)
    }
  }

  mutating func write(columns: [String]) {
    for (index, column) in columns.enumerated() {
      if index > 0 { buffer.append(", ") }
      write(column: column)
    }
  }
}

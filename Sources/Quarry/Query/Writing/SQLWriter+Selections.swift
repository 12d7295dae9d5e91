extension SQLWriter {
  mutating func write(list selection: [SQLSelection]) throws {
    try writeList(selection) { try $0.write($1) }
  }

  mutating func write(_ selection: SQLSelection) throws {
    switch selection.node {
    case .allColumns:
      if let qualifier { writeQualifier(qualifier) }
      buffer.append("*")
    case .columns(let columns): write(columns: columns)
    case .expression(let expression): try write(expression)
    case .aliased(let expression, let name):
      try write(expression)
      buffer.append(" AS ")
      buffer.append(identifier: name)
    case .literal(let sql): try write(sql)
    case .allColumnsExcluding, .primaryKey: throw InvalidRequest.notPlanned
    case .qualified(let inner, let alias):
      let saved = current
      current = try source(of: alias)
      try write(inner)
      current = saved
    case .invalid(let fault): throw fault
    }
  }

  mutating func write(columns: [String]) { writeList(columns) { $0.write(column: $1) } }
}

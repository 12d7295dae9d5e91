import Quarry

extension RandomRows {
  /// What differs from the rows that were fetched, or nil.
  func difference(from rows: [Row]) -> String? {
    guard rows.count == count else { return "\(rows.count) rows, expected \(count)" }
    var position = 0
    for group in groups {
      var expected = group
      for row in rows[position..<position + group.count] {
        guard let index = expected.firstIndex(where: { $0.difference(from: row) == nil }) else {
          let reason = expected.first?.difference(from: row) ?? ""
          return "row \(row.debugDescription) is none of \(expected): \(reason)"
        }
        expected.remove(at: index)
      }
      position += group.count
    }
    return nil
  }
}

extension RandomRow: CustomStringConvertible {
  /// What differs from a row that was fetched, or nil.
  func difference(from row: Row) -> String? {
    let values = row.map { (name: $0.0, value: RandomValue($0.1)) }
    guard values.prefix(columns.count).elementsEqual(columns, by: ==),
      values.dropFirst(columns.count).allSatisfy({ $0.name.hasPrefix("grdb_") })
    else { return "columns" }
    guard row.scopes.names.sorted() == scopes.keys.sorted() else {
      return "scopes \(row.scopes.names.sorted()), expected \(scopes.keys.sorted())"
    }
    for (key, expected) in scopes {
      if let scope = row.scopes[key], let reason = expected.difference(from: scope) {
        return "scope \(key): \(reason)"
      }
    }
    guard row.prefetchedRows.keys == Set(prefetched.keys) else {
      return "prefetched \(row.prefetchedRows.keys), expected \(prefetched.keys.sorted())"
    }
    for (key, expected) in prefetched {
      if let reason = expected.difference(from: row.prefetchedRows[key] ?? []) {
        return "prefetched \(key): \(reason)"
      }
    }
    return nil
  }

  var description: String {
    let values = columns.map { "\($0.name):\($0.value.databaseValue)" }.joined(separator: " ")
    let others =
      scopes.sorted { $0.key < $1.key }.map { " \($0.key):\($0.value)" }
      + prefetched.sorted { $0.key < $1.key }.map { " \($0.key):\($0.value.groups)" }
    return "[\(values)]\(others.joined())"
  }
}

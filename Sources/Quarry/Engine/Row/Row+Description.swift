extension Row: CustomStringConvertible, CustomDebugStringConvertible {
  /// The columns: `[id:1 name:"Alice" email:NULL]`.
  public var description: String { "[" + map { "\($0.0):\($0.1)" }.joined(separator: " ") + "]" }

  /// The columns, the row of the statement where it differs, the scopes, and the count of
  /// prefetched rows:
  ///
  ///     ▿ [id:1 title:"Moby-Dick"]
  ///       unadapted: [id:1 title:"Moby-Dick" id:7 name:"Melville"]
  ///       - author: [id:7 name:"Melville"]
  ///       + reviews: 2 rows
  public var debugDescription: String {
    let lines = debugLines
    if lines.isEmpty, unadapted.description == description { return description }
    var all = ["▿ " + description]
    let unadapted = unadapted.description
    if unadapted != description { all.append("  unadapted: " + unadapted) }
    return (all + lines).joined(separator: "\n")
  }

  private var debugLines: [String] {
    var lines: [String] = []
    for (name, row) in scopes.sorted(by: { $0.name < $1.name }) {
      lines.append("  - \(name): \(row.description)")
      lines.append(contentsOf: row.debugLines.map { "  " + $0 })
    }
    for key in prefetchedRows.keys.sorted() {
      let count = prefetchedGroup(forKey: key)?.count ?? 0
      lines.append("  + \(key): \(count) row\(count > 1 ? "s" : "")")
    }
    return lines
  }
}

extension Row.ScopesView: CustomStringConvertible {
  /// The scopes by name: `[author: [id:7 name:"Melville"]]`.
  public var description: String {
    "[" + map { "\($0.name): \($0.row)" }.joined(separator: ", ") + "]"
  }
}

extension Row.PrefetchedRowsView: CustomStringConvertible {
  /// The rows by key, in the order of the keys: `[reviews: [[id:1 score:5]]]`.
  public var description: String {
    let entries = keys.sorted().map { key in
      let rows = (self[key] ?? []).map(\.description)
      return "\(key): [\(rows.joined(separator: ", "))]"
    }
    return "[" + entries.joined(separator: ", ") + "]"
  }
}

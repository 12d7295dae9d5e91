/// A name that the definition of a table gives to a constraint: SQLite does not report those of
/// keys, read here from the SQL.
///
/// See <https://www.sqlite.org/syntax/table-constraint.html>.
struct ConstraintName: Equatable {
  enum Kind {
    case primaryKey, unique, notNull, foreignKey
  }

  let name: String
  let kind: Kind
  let columns: [String]

  /// The named constraints of a table, checks excepted.
  static func all(in sql: String) -> [ConstraintName] {
    let items = SQLTokens.items(sql)
    guard let start = items.firstIndex(of: .open) else { return [] }
    var names: [ConstraintName] = []
    for element in elements(items[(start + 1)...]) { names += named(in: element) }
    return names
  }

  /// The items between the commas of a list in parentheses, up to its end.
  private static func elements(_ items: ArraySlice<SQLItem>) -> [ArraySlice<SQLItem>] {
    var elements: [ArraySlice<SQLItem>] = []
    var depth = 0
    var start = items.startIndex
    for (index, item) in zip(items.indices, items) {
      if item == .open { depth += 1 }
      let isEnd = item == .close && depth == 0
      if isEnd || item == .comma && depth == 0 {
        elements.append(items[start..<index])
        start = index + 1
      }
      if isEnd { break }
      if item == .close { depth -= 1 }
    }
    return elements
  }

  /// The names in the definition of a column, or in a constraint of the table.
  private static func named(in element: ArraySlice<SQLItem>) -> [ConstraintName] {
    guard let first = element.first else { return [] }
    let isConstraint = tableConstraints.contains { first.isKeyword($0) }
    let column = isConstraint ? nil : first.name
    var names: [ConstraintName] = []
    var name: String?
    var depth = 0
    for (index, item) in zip(element.indices, element) {
      if item == .open { depth += 1 }
      if item == .close { depth -= 1 }
      guard depth == 0 else { continue }
      let rest = element[(index + 1)...]
      if item.isKeyword("CONSTRAINT") {
        name = rest.first?.name
      } else if let keyword = keywords.first(where: { item.isKeyword($0.keyword) }) {
        if let name, let kind = keyword.kind {
          let columns = column.map { [$0] } ?? columns(rest)
          names.append(ConstraintName(name: name, kind: kind, columns: columns))
        }
        name = nil
      }
    }
    return names
  }

  /// The columns of the next list in parentheses.
  private static func columns(_ items: ArraySlice<SQLItem>) -> [String] {
    guard let start = items.firstIndex(of: .open) else { return [] }
    return elements(items[(start + 1)...]).compactMap { $0.first?.name }
  }

  private static let tableConstraints = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  /// The words after the name of a constraint, without kind for those that no key begins with.
  private static let keywords: [(keyword: String, kind: Kind?)] = [
    ("PRIMARY", .primaryKey), ("UNIQUE", .unique), ("NOT", .notNull), ("FOREIGN", .foreignKey),
    ("REFERENCES", .foreignKey), ("CHECK", nil), ("DEFAULT", nil), ("COLLATE", nil),
    ("GENERATED", nil), ("AS", nil),
  ]
}

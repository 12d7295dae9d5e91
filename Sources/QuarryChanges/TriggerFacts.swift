import Quarry

/// A trigger of a table, whose name is in lowercase.
struct TriggerFacts {
  let name: String
  let table: String
  let sql: String
  let isTemporary: Bool
  /// The tokens before the body.
  private let head: ArraySlice<SQLItem>
  /// The statements of the body.
  private let statements: [ArraySlice<SQLItem>]

  init(name: String, table: String, sql: String, isTemporary: Bool) {
    self.name = name
    self.table = table
    self.sql = sql
    self.isTemporary = isTemporary
    let items = SQLTokens.items(sql)
    // A column may be named `begin`.
    let commands = ["INSERT", "REPLACE", "UPDATE", "DELETE", "SELECT", "VALUES", "WITH"]
    let begin = items.indices.dropLast().first { index in
      items[index].isKeyword("BEGIN") && commands.contains(where: items[index + 1].isKeyword)
    }
    head = items[..<(begin ?? items.endIndex)]
    statements = items[head.endIndex...].dropFirst()
      .split(separator: SQLItem.symbol(UInt8(ascii: ";")))
  }

  /// Whether a statement of the trigger changes the table that the trigger belongs to.
  var writesToItsTable: Bool { writtenTables.contains(table) }

  /// Whether the trigger refuses changes, or only calls functions: no announcement shows that.
  var actsUnannounced: Bool { writtenTables.isEmpty || !raisedAlgorithms.isEmpty }

  static let allEvents: Set<String> = ["insert", "update", "delete"]

  /// The events that fire the trigger, and maybe others whose words are in its head.
  var events: Set<String> {
    Self.allEvents.filter { event in head.contains { $0.isKeyword(event) } }
  }

  /// The schema that the statement names for its table, in lowercase.
  var tableSchema: String? {
    let names = head.drop { !$0.isKeyword("ON") }.dropFirst()
    guard names.dropFirst().first == .symbol(UInt8(ascii: ".")) else { return nil }
    return names.first?.name?.lowercasedASCII
  }

  /// The tables that statements of the trigger change, in lowercase.
  var writtenTables: [String] { statements.compactMap(Self.writtenTable) }

  /// The conflict resolution algorithms of `RAISE`.
  private var raisedAlgorithms: [SQLItem] {
    statements.flatMap { items in
      items.indices.dropLast(2)
        .filter { items[$0].isKeyword("RAISE") && items[$0 + 1] == .open }.map { items[$0 + 2] }
    }
  }

  /// Whether the trigger changes one of some tables for a part of its rows only: a rebuild would
  /// index all.
  ///
  /// - parameter keys: The names of columns, in lowercase, that identify each row of the table.
  func fillsConditionally(_ tables: Set<String>, keys: [String]) -> Bool {
    let filling = statements.filter { Self.writtenTable($0).map(tables.contains) == true }
    if filling.isEmpty { return false }
    return head.contains { $0.isKeyword("WHEN") }
      || filling.contains { insertsSelection($0, keys: keys) }
      || raisedAlgorithms.contains { $0.isKeyword("IGNORE") }
  }

  private static func writtenTable(_ statement: ArraySlice<SQLItem>) -> String? {
    guard let first = statement.first,
      ["INSERT", "REPLACE", "UPDATE", "DELETE"].contains(where: first.isKeyword)
    else { return nil }
    var rest = statement.dropFirst()
    if rest.first?.isKeyword("OR") == true { rest = rest.dropFirst(2) }
    if ["INTO", "FROM"].contains(where: { rest.first?.isKeyword($0) == true }) {
      rest = rest.dropFirst()
    }
    return rest.first?.name?.lowercasedASCII
  }

  /// Whether a statement inserts the rows of a `SELECT` that may have none.
  private func insertsSelection(_ statement: ArraySlice<SQLItem>, keys: [String]) -> Bool {
    guard let first = statement.first, ["INSERT", "REPLACE"].contains(where: first.isKeyword) else {
      return false
    }
    var depth = 0
    let clauses = statement.drop { item in
      if item == .open { depth += 1 }
      if item == .close { depth -= 1 }
      return depth > 0 || !["FROM", "WHERE", "HAVING", "LIMIT"].contains(where: item.isKeyword)
    }
    return !clauses.isEmpty && !selectsOwnRow(clauses, keys: keys)
  }

  /// `FROM book WHERE id = new.id`
  private func selectsOwnRow(_ clauses: ArraySlice<SQLItem>, keys: [String]) -> Bool {
    let words = clauses.map { item in
      switch item {
      case .word(let text), .quoted(let text): text.lowercasedASCII
      case .symbol(let byte): String(UnicodeScalar(byte))
      }
    }
    let match = words.joined(separator: " ").wholeMatch(
      of: /from (\S+) where (?:(?:\1 \. )?(\S+) = new \. \2|new \. (\S+) = (?:\1 \. )?\3)/)
    guard let match, match.1 == table, let column = match.2 ?? match.3 else { return false }
    return keys.contains(String(column))
  }
}

extension Database {
  /// The names of columns, in lowercase, that identify each row of a table: none that may be null.
  func rowKeys(of table: String) throws -> [String] {
    let key = try primaryKey(table, in: "main")
    var names = [key.rowIDColumn, key.rowIDName].compactMap { $0 }
    let columns = try columns(in: table, in: "main").primaryKeyColumns
    if columns.count == 1, columns[0].isNotNull { names.append(columns[0].name) }
    return names.map(\.lowercasedASCII)
  }
}

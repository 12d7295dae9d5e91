// SQLite reports a name that it does not know. Which one was meant, and how to refer to it, is
// found in the schema.

extension Database {
  /// Adds the names that were meant to the error of a statement that does not compile.
  func explainNames(_ error: inout DatabaseError, sql: String) {
    guard error.resultCode == .SQLITE_ERROR, error.details == nil, let message = error.message
    else { return }
    if message.hasPrefix("unsafe use of ") { return error.addDetails(Self.trustDetails) }
    guard let details = details(message, sql) else { return }
    explain(&error) { $0.addDetails(try? details()) }
  }

  private static let trustDetails = """
    a view, a trigger or a table of the schema uses it: it may use what was registered with \
    `trust: .innocuous`, and where the schema is trusted also with `.normal`
    """

  /// What to say of the name that SQLite does not know, by its message: found in the schema when it
  /// is called. Nil for other messages.
  private func details(_ message: String, _ sql: String) -> (() throws -> String?)? {
    func rest(_ prefix: String) -> String? {
      message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : nil
    }
    if let name = rest("no such column: ") { return { try self.columnDetails(name, sql) } }
    if let name = rest("no such table: ") {
      let isFunction = sql.contains("\(name.quotedDatabaseIdentifier)(")
      return { try isFunction ? self.tableFunctionDetails(name) : self.tableDetails(name) }
    }
    if let name = rest("no such function: "), !name.contains(" ") {
      return { try self.functionDetails(name) }
    }
    if let name = rest("no such collation sequence: ") {
      return { try self.collationDetails(name) }
    }
    if message.hasPrefix("'"), message.hasSuffix("' is not a function") {
      let name = String(message.dropFirst().dropLast(19))
      return { "it has no parameters: Table(\(name.debugDescription)) reads it" }
    }
    if let text = rest("too many arguments on "), let end = text.firstRange(of: "()") {
      let function = String(text[..<end.lowerBound])
      return { NameSuggestion.list(try self.parameters(of: function), "its parameters are") }
    }
    if let name = rest("unable to use function ")?.split(separator: " ").first {
      return {
        "\(name) needs a full-text table, created with `db.create(virtualTable:using: FTS5())`"
      }
    }
    for type in ["index", "trigger", "view"] {
      if let name = rest("no such \(type): ") { return { try self.objectDetails(type, name) } }
    }
    guard let text = rest("table "), let range = text.firstRange(of: " has no column named ")
    else { return nil }
    let (table, name) = (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
    return { try self.insertedColumnDetails(name, table) }
  }

  private func functionDetails(_ name: String) throws -> String {
    NameSuggestion.text(for: name, among: try names("SELECT name FROM pragma_function_list"))
      ?? "`db.add(function:)` adds functions to one connection: call it in `prepareDatabase`; "
      + "`configuration.extensions` of QuarryTables loads those of extensions"
  }

  private func collationDetails(_ name: String) throws -> String {
    NameSuggestion.text(for: name, among: try names("SELECT name FROM pragma_collation_list"))
      ?? "`db.add(collation:)` adds collations to one connection: call it in `prepareDatabase`"
  }

  private func objectDetails(_ type: String, _ name: String) throws -> String? {
    let objects = try schema.catalogs(named: nil).flatMap(schema.objects)
    return NameSuggestion.text(
      for: name, among: objects.filter { $0.type == type }.map(\.name),
      orList: "the database has")
  }

  private func names(_ sql: String) throws -> [String] { try String.fetchAll(self, sql: sql) }

  /// The tables of the database, for the name of one that does not exist.
  func tableDetails(_ name: String) throws -> String {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, (try? schema.catalogs(named: parts[0])) == nil {
      let meant = try NameSuggestion.text(
        for: parts[0], among: names("SELECT name FROM pragma_database_list"))
      return "there is no schema \(parts[0].debugDescription): "
        + (meant ?? "ATTACH DATABASE adds one")
    }
    let name = name.split(separator: ".").last.map(String.init) ?? name
    let tables = try schema.allTableNames()
    if tables.isEmpty { return "the database has no table: have its migrations run?" }
    return NameSuggestion.text(for: name, among: tables, orList: "the tables are")
      ?? "the database has \(tables.count) tables, none with a similar name"
  }

  private func tableFunctionDetails(_ name: String) throws -> String {
    let names = try names("SELECT name FROM pragma_module_list")
    let readable = names.filter { (try? parameters(of: $0).isEmpty) == false }
    return NameSuggestion.text(for: name, among: readable)
      ?? "table functions are the virtual tables that SQLite and extensions provide, to one "
      + "connection each: register them in `prepareDatabase`"
  }

  /// The hidden columns of a virtual table.
  private func parameters(of function: String) throws -> [String] {
    try String.fetchAll(
      self, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 1", arguments: [function])
  }

  private func insertedColumnDetails(_ name: String, _ table: String) throws -> String? {
    let columns = try schema.columns(of: table).map(\.name)
    guard let column = columns.first(where: { $0 == name.snakeCased }) else {
      return NameSuggestion.text(for: name, among: columns, orList: "its columns are")
    }
    return "did you mean \(column.debugDescription)? The record type converts its keys with "
      + "`databaseColumnEncodingStrategy = .convertToSnakeCase`"
  }

  /// - parameter column: The name as SQLite reports it, with that of its table.
  private func columnDetails(_ column: String, _ sql: String) throws -> String? {
    let (table, name) = Self.parts(ofColumn: column)
    // A name in quotes may have the dot: "book.title".
    if let begin = table.map({ "\($0).".lowercased() }),
      !SQLTokens.items(sql).contains(where: { "\($0.name ?? "").".lowercased().hasPrefix(begin) })
    {
      return "the name is not in the statement, but in the SQL of a view, a trigger or a full-text "
        + "table"
    }
    if sql.contains(" AS \(name.quotedDatabaseIdentifier)") {
      return
        "\(name.quotedDatabaseIdentifier) is the name of a selected value, which belongs to no "
        + "table: Column(\"\(name)\").detached"
    }
    let tables = try tables(in: sql)
    let own = tables.filter { table?.isSameIdentifier(as: $0.name) ?? true }
    if table == nil, tables.contains(where: { $0.name.isSameIdentifier(as: name) }),
      usesFullText(sql)
    {
      return "\(name.debugDescription) is a table: `matching`, `snippet` and the other full-text "
        + "functions need a full-text table, such as one of FTS5"
    }
    if let other = tables.first(where: { $0.has(name) }) {
      return "the column \(name.debugDescription) belongs to \(other.name.debugDescription), which "
        + "the request joins: `let alias = TableAlias<…>()`, `association.aliased(alias)`, then "
        + "alias[Column(\(name.debugDescription))]"
    }
    let columns = (own.isEmpty ? tables : own).flatMap(\.columns)
    return try NameSuggestion.text(for: name, among: columns)
      ?? ownerDetails(of: name) ?? NameSuggestion.list(columns, "the columns are")
  }

  private func usesFullText(_ sql: String) -> Bool {
    SQLTokens.items(sql).contains { item in
      ["MATCH", "snippet", "highlight", "bm25"].contains { item.isKeyword($0) }
    }
  }

  /// The tables that have a column which the tables of the statement lack.
  private func ownerDetails(of name: String) throws -> String? {
    let tables = try schema.allTableNames()
    guard tables.count <= maximumTableCount else { return nil }
    let owners = tables.compactMap { try? table($0) }.filter { $0.has(name) }.map(\.name)
    guard (1...3).contains(owners.count) else { return nil }
    let list = owners.map(\.debugDescription).joined(separator: " and ")
    return "the column \(name.debugDescription) belongs to \(list): join it, with a TableAlias"
  }

  /// In larger schemas, the owner of a column is not searched: the columns of each table are read
  /// by a statement.
  private var maximumTableCount: Int { 200 }

  private struct NamedTable {
    let name: String
    let columns: [String]

    func has(_ column: String) -> Bool { columns.contains { $0.isSameIdentifier(as: column) } }
  }

  private func table(_ name: String) throws -> NamedTable {
    NamedTable(name: name, columns: try schema.columns(of: name).map(\.name))
  }

  /// The tables that a statement reads or writes.
  private func tables(in sql: String) throws -> [NamedTable] {
    let items = SQLTokens.items(sql)
    var names: Set<BinaryText> = []
    for index in items.indices
    where ["FROM", "JOIN", "INTO", "UPDATE"].contains(where: items[index].isKeyword) {
      // `schema.table`, or `table`.
      let name = items[(index + 1)...].prefix(3)
      let hasSchema = name.dropFirst().first == .symbol(UInt8(ascii: "."))
      if let key = (hasSchema ? name.last : name.first)?.name?.identifierKey { names.insert(key) }
    }
    return try schema.allTableNames().filter { names.contains($0.identifierKey) }
      .compactMap { try? table($0) }
  }

  private static func parts(ofColumn text: String) -> (table: String?, name: String) {
    var text = text
    // Since 3.46, SQLite adds a question to a name in double quotes.
    if let question = text.firstRange(of: " - should this be") {
      text.removeSubrange(question.lowerBound...)
    }
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
      text = String(text.dropFirst().dropLast())
    }
    guard let dot = text.lastIndex(of: ".") else { return (nil, text) }
    let table = text[..<dot].split(separator: ".").last.map(String.init)
    return (table, String(text[text.index(after: dot)...]))
  }
}

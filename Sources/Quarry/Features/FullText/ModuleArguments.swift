/// The module of a virtual table and its arguments, read from the statement that has created the
/// table.
///
/// See <https://www.sqlite.org/vtab.html#creating_and_destroying_virtual_tables>.
package struct ModuleArguments: Sendable {
  /// The name of the module, in lower case.
  let module: String
  let arguments: [String]

  /// Nil for the statement of something else.
  package init?(sql: String) {
    let items = SQLTokens.placedItems(sql).drop { !$0.item.isKeyword("USING") }.dropFirst()
    guard let name = items.first?.item.name else { return nil }
    module = name.lowercased()
    let list = items.dropFirst()
    let elements = list.first?.item == .open ? SQLTokens.elements(list.dropFirst()) : []
    let tokens = SQLTokens(sql)
    arguments = elements.compactMap { element in
      guard let first = element.first, let last = element.last else { return nil }
      return tokens.text(first.bytes.lowerBound..<last.bytes.upperBound)
    }
  }

  /// The table with the texts of a full-text table: nil for the table itself, an empty name for
  /// none.
  package var content: String? { ["fts4", "fts5"].contains(module) ? option("content") : nil }

  /// The columns that a full-text table names, and needs in its content table.
  package var contentColumns: [String] { columns + (contentRowID.map { [$0] } ?? []) }

  /// The column of the content table that has the rowids. Nil for the rowid itself.
  var contentRowID: String? {
    guard let name = option("content_rowid"),
      !PrimaryKeyInfo.rowIDNames.contains(name.lowercased())
    else { return nil }
    return name
  }

  /// The columns that a full-text table names. Empty for one that has those of its content table.
  package var columns: [String] { arguments.compactMap { Self.column(in: $0)?.item.name } }

  /// The value of an option, unquoted: `book` for `content='book'`.
  package func option(_ name: String) -> String? {
    arguments.lazy.compactMap { Self.value(of: name, in: $0) }.first
  }

  /// The statement that creates a full-text table over a content table with another name, whose
  /// columns may have others too.
  ///
  /// - parameter table: The full-text table in SQL.
  package func creation(
    of table: String, content: String, renaming columns: [(old: String, new: String)] = []
  ) -> String {
    let list = arguments.map { argument in
      Self.value(of: "content", in: argument) == nil
        ? Self.argument(argument, renaming: columns)
        : "content=\(content.quotedDatabaseText)"
    }
    return "CREATE VIRTUAL TABLE \(table) USING \(module)(\(list.joined(separator: ", ")))"
  }

  /// A column, or the option that has the name of one.
  private static func argument(
    _ argument: String, renaming columns: [(old: String, new: String)]
  ) -> String {
    let newName = { (name: String) in columns.first { $0.old.isSameIdentifier(as: name) }?.new }
    for option in ["content_rowid", "languageid", "notindexed"] {
      guard let new = value(of: option, in: argument).flatMap(newName) else { continue }
      return "\(option)=\(new.quotedDatabaseText)"
    }
    guard let column = column(in: argument), let new = column.item.name.flatMap(newName) else {
      return argument
    }
    let rest = argument.utf8.dropFirst(column.bytes.upperBound)
    return new.quotedDatabaseIdentifier + String(Substring(rest))
  }

  private static func value(of option: String, in argument: String) -> String? {
    let items = SQLTokens.placedItems(argument)
    guard items.count > 1, items[0].item.isKeyword(option), items[1].item == .equal else {
      return nil
    }
    let value = argument.utf8.dropFirst(items[1].bytes.upperBound)
    return String(Substring(value)).trimmedSQL.unquoted
  }

  /// The first item of an argument that is no option.
  private static func column(in argument: String) -> SQLTokens.Items.Element? {
    let items = SQLTokens.placedItems(argument)
    return items.contains { $0.item == .equal } ? nil : items.first
  }
}

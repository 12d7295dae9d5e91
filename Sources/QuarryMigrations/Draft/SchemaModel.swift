import Quarry

/// The objects of a schema, as statements that can be compared.
struct SchemaModel: Sendable {
  /// An index, a trigger, a view or a virtual table.
  struct Object: Sendable {
    let kind: String
    let name: String
    let table: String
    let sql: String

    var tokens: [SQLToken] { SQLLexer.tokens(ofSchema: sql) }
    var key: String { tokens.key }
    /// `index book_author`
    var title: String { "\(kind) \(name)" }

    /// The table with the texts of a full-text table. Nil for one that stores them itself, or none.
    var contentTable: String? {
      guard kind == "virtual table", let content = ModuleArguments(sql: sql)?.content,
        !content.isEmpty
      else { return nil }
      return content
    }

    /// Whether a table has the columns that a full-text table over it names.
    func hasContentColumns(_ content: TableText) -> Bool {
      ModuleArguments(sql: sql)?.contentColumns.allSatisfy { content.column($0) != nil } == true
    }
  }

  private var tableList = NamedList<TableText>()
  /// By their titles.
  private var objectList = NamedList<Object>()

  var tables: [TableText] { tableList.elements }
  var objects: [Object] { objectList.elements }

  init(_ db: Database) throws {
    let shadows = try Self.shadowTables(db)
    for object in try db.readObjects(of: .main) where !object.isInternal {
      guard let sql = object.sql, !shadows.contains(object.tableName.asciiLowercased) else {
        continue
      }
      let isVirtual = sql.asciiUppercased.hasPrefix("CREATE VIRTUAL")
      if object.type == "table", !isVirtual {
        setTable(object.name, sql: sql)
      } else {
        let kind = isVirtual ? "virtual table" : object.type
        add(Object(kind: kind, name: object.name, table: object.tableName, sql: sql))
      }
    }
  }

  /// The tables that modules keep, by lower-cased names.
  private static func shadowTables(_ db: Database) throws -> Set<String> {
    // See https://www.sqlite.org/pragma.html#pragma_table_list.
    guard SQLiteVersion.linked >= SQLiteVersion(3, 37) else { return try fullTextTables(db) }
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_list WHERE type = 'shadow' AND schema = 'main'")
    return Set(names.map(\.asciiLowercased))
  }

  private static func fullTextTables(_ db: Database) throws -> Set<String> {
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM main.sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'")
    let suffixes = [
      "data", "idx", "content", "docsize", "config", "segments", "segdir", "stat", "node", "rowid",
      "parent",
    ]
    return Set(names.flatMap { name in suffixes.map { "\(name)_\($0)".asciiLowercased } })
  }

  func table(_ name: String) -> TableText? { tableList[name] }

  /// Replaces the statement of a table, or adds the table.
  mutating func setTable(_ name: String, sql: String) {
    tableList.set(TableText(name: name, sql: sql), named: name)
  }

  mutating func add(_ object: Object) { objectList.set(object, named: object.title) }

  /// Replaces the statement of an object.
  mutating func setSQL(_ sql: String, of object: Object) {
    add(Object(kind: object.kind, name: object.name, table: object.table, sql: sql))
  }

  func object(_ kind: String, _ name: String) -> Object? { objectList["\(kind) \(name)"] }

  func objects(_ kind: String) -> [Object] { objects.filter { $0.kind == kind } }

  /// Whether the texts of a full-text table are in another table, or in a view, from which it can
  /// be indexed anew.
  func hasContent(of fullText: Object) -> Bool {
    guard let content = fullText.contentTable else { return false }
    if let table = table(content) { return fullText.hasContentColumns(table) }
    return ["view", "virtual table"].contains { object($0, content) != nil }
  }
}

/// Elements in the order in which they were added, found by name.
private struct NamedList<Element: Sendable>: Sendable {
  private(set) var elements: [Element] = []
  private var indices: [BinaryText: Int] = [:]

  subscript(name: String) -> Element? { indices[name.identifierKey].map { elements[$0] } }

  /// Replaces the element with this name, or adds one.
  mutating func set(_ element: Element, named name: String) {
    if let index = indices[name.identifierKey] {
      elements[index] = element
    } else {
      indices[name.identifierKey] = elements.count
      elements.append(element)
    }
  }
}

extension SchemaModel {
  /// The same for tables that are the same, whatever the order of their columns.
  func key(of table: TableText) -> String {
    let table = table.unqualified
    let columns = table.columns.map { column in
      let clauses = column.clauses.map { key(of: $0.tokens) }.filter { $0 != "null" }.sorted()
      return ([column.name.asciiLowercased, column.typeKey] + clauses).joined(separator: " | ")
    }
    let constraints = table.constraints.map { key(of: $0.tokens) }
    return (columns.sorted() + constraints.sorted() + table.options.sorted())
      .joined(separator: "\n")
  }

  /// The text of a clause without what goes without saying.
  func key(of tokens: [SQLToken]) -> String {
    if let start = tokens.firstIndex(where: { $0.isOne(of: "REFERENCES") }),
      tokens[0].isOne(of: ["REFERENCES", "FOREIGN", "CONSTRAINT"])
    {
      return tokens[..<start].key + " " + referenceKey(Array(tokens[(start + 1)...]))
    }
    var words = tokens.map(\.key)
    if let value = tokens.last, tokens.dropLast().last?.isOne(of: "DEFAULT") == true {
      words[words.count - 1] = value.defaultValueKey
    }
    if words.prefix(2) == ["generated", "always"] { words.removeFirst(2) }
    if words.first == "as", words.last == "virtual" { words.removeLast() }
    if words.prefix(3) == ["primary", "key", "asc"] { words.remove(at: 2) }
    return words.joined(separator: " ")
  }

  /// Columns that are not named are those of the primary key.
  private func referenceKey(_ tokens: [SQLToken]) -> String {
    let named = tokens.dropFirst().columnList
    let columns = named.isEmpty ? table(tokens[0].name)?.primaryKey ?? [] : named
    let words = tokens.dropFirst(named.isEmpty ? 1 : 1 + 2 * named.count + 1).key
    var rest = " \(words) "
    for usual in [
      " on delete no action ", " on update no action ", " not deferrable initially immediate ",
      " not deferrable ", " initially immediate ",
    ] {
      rest = rest.replacing(usual, with: " ")
    }
    let actions = rest.split(separator: " on ").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    return "references \(tokens[0].name.asciiLowercased) (\(columns.map(\.asciiLowercased))) "
      + actions.filter { !$0.isEmpty }.sorted().joined(separator: " on ")
  }

  /// The differences from another schema, each in words. The order of columns is none.
  func differences(from other: SchemaModel) -> [String] {
    var differences: [String] = []
    for table in other.tables {
      guard let own = self.table(table.name) else {
        differences.append("table \(table.name) is missing")
        continue
      }
      if key(of: own) != other.key(of: table) {
        differences += columnDifferences(own.unqualified, table.unqualified, in: other)
      }
    }
    differences += tables.filter { other.table($0.name) == nil }.map {
      "table \($0.name) is unexpected"
    }
    for object in other.objects {
      switch self.object(object.kind, object.name) {
      case nil: differences.append("\(object.title) is missing")
      case let own? where own.key != object.key:
        differences.append("\(object.title) is another one")
      default: break
      }
    }
    return differences
      + objects.filter { other.object($0.kind, $0.name) == nil }.map { "\($0.title) is unexpected" }
  }

  private func columnDifferences(
    _ own: TableText, _ table: TableText, in other: SchemaModel
  ) -> [String] {
    var differences: [String] = []
    for column in table.columns {
      guard let twin = own.column(column.name) else {
        differences.append("column \(table.name).\(column.name) is missing")
        continue
      }
      let keys = { (schema: SchemaModel, column: ColumnText) in
        [column.typeKey]
          + column.clauses.map { schema.key(of: $0.tokens) }.filter { $0 != "null" }.sorted()
      }
      if keys(self, twin) != keys(other, column) {
        differences.append("column \(table.name).\(column.name) is \(twin.sql), not \(column.sql)")
      }
    }
    differences += own.columns.filter { table.column($0.name) == nil }
      .map { "column \(table.name).\($0.name) is unexpected" }
    return differences.isEmpty
      ? ["table \(table.name) has other constraints or options"] : differences
  }
}

extension SQLToken {
  /// The same for default values that are the same. A name is a text, in its own case.
  ///
  /// See <https://www.sqlite.org/lang_createtable.html#the_default_clause>.
  fileprivate var defaultValueKey: String {
    let keywords = [
      "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP", "TRUE", "FALSE", "NULL",
    ]
    let isName = kind == .quotedName || kind == .word && !isOne(of: keywords)
    return isName ? name.quotedDatabaseText : key
  }
}

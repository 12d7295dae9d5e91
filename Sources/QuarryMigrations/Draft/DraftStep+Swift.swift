import Quarry

extension DraftStep {
  /// Writes the step in Swift. Alterations of tables are statements of a closure over `t`.
  func write(to source: inout SwiftSource, _ schema: SchemaModel) {
    guard !hasDots else { return sql(schema).forEach { source.execute($0) } }
    switch self {
    case .drop(let object): write(drop: object, to: &source)
    case .dropTable(let name): source.line("try db.drop(table: \(name.swiftLiteral))")
    case .renameTable(let name, let newName):
      source.line("try db.rename(table: \(name.swiftLiteral), to: \(newName.swiftLiteral))")
    case .renameColumn(let name, let newName, _):
      source.line("t.rename(column: \(name.swiftLiteral), to: \(newName.swiftLiteral))")
    case .dropColumn(let name, _): source.line("t.drop(column: \(name.swiftLiteral))")
    case .addColumn(let name, let table):
      guard let column = schema.table(table)?.column(name) else { return }
      source.line(
        column.swift(adding: true, schema)
          ?? "t.addColumn(sql: \(column.sql.onOneLine.swiftLiteral))")
    case .createTable(let name):
      guard let table = schema.table(name) else { return }
      let head = "try db.create(table: \(name.swiftLiteral)\(table.swiftOptions))"
      source.block("\(head) { t in") { table.writeBody(to: &$0, schema) }
    case .rebuild(let copy): write(rebuild: copy, to: &source, schema)
    case .create(let object): write(create: object, to: &source)
    case .command(_, let sql): source.execute(sql)
    }
  }

  /// Whether a name in the call has a dot.
  var hasDots: Bool {
    let names =
      switch self {
      case .drop(let object): [object.name]
      case .create(let object): [object.name, object.table]
      case .dropTable(let name), .createTable(let name), .command(let name, _): [name]
      case .renameTable(let name, let newName): [name, newName]
      case .renameColumn(_, _, let table), .addColumn(_, let table), .dropColumn(_, let table):
        [table]
      case .rebuild(let copy): [copy.table]
      }
    return names.contains(where: \.hasDot)
  }

  private func write(drop object: SchemaModel.Object, to source: inout SwiftSource) {
    let kind = object.kind == "virtual table" ? "table" : object.kind
    source.line("try db.drop(\(kind): \(object.name.swiftLiteral))")
  }

  private func write(rebuild copy: TableCopy, to source: inout SwiftSource, _ schema: SchemaModel) {
    let table = copy.new
    var head = "try db.rebuild(table: \(table.name.swiftLiteral)\(table.swiftOptions)) { t in"
    if !copy.values.isEmpty {
      source.line("try db.rebuild(")
      source.line("  table: \(table.name.swiftLiteral)\(table.swiftOptions),")
      source.line("  copying: [")
      for value in copy.values {
        let sql = value.sql.onOneLine.swiftLiteral
        source.line("    Column(\(value.column.swiftLiteral)).set(to: SQL(sql: \(sql))),")
      }
      source.line("  ]")
      head = ") { t in"
    }
    source.block(head) { table.writeBody(to: &$0, schema) }
  }

  /// An index on columns in their own order, or the statement.
  private func write(create object: SchemaModel.Object, to source: inout SwiftSource) {
    let tokens = object.tokens
    let isUnique = tokens.dropFirst().first?.isOne(of: "UNIQUE") == true
    let rest = Array(tokens.dropFirst(isUnique ? 3 : 2))
    guard object.kind == "index", let columns = rest.dropFirst(3).plainColumns else {
      return source.execute(object.sql)
    }
    let list = columns.map(\.swiftLiteral).joined(separator: ", ")
    let options = isUnique ? ", options: .unique" : ""
    let names = "index: \(object.name.swiftLiteral), on: \(object.table.swiftLiteral)"
    source.line("try db.create(\(names), columns: [\(list)]\(options))")
  }
}

extension TableText {
  fileprivate var swiftOptions: String {
    let names = options.sorted(by: >).map { $0 == "STRICT" ? ".strict" : ".withoutRowID" }
    switch names.count {
    case 0: return ""
    case 1: return ", options: \(names[0])"
    default: return ", options: [\(names.joined(separator: ", "))]"
    }
  }

  fileprivate func writeBody(to source: inout SwiftSource, _ schema: SchemaModel) {
    for column in columns {
      source.line(
        column.swift(adding: false, schema) ?? "t.column(sql: \(column.sql.onOneLine.swiftLiteral))"
      )
    }
    for constraint in constraints {
      source.line(
        constraint.swift ?? "t.constraint(sql: \(constraint.sql.onOneLine.swiftLiteral))")
    }
  }
}

extension TableText.Constraint {
  /// A key of columns in their own order.
  fileprivate var swift: String? {
    let isKey = tokens.prefix(2).key == "primary key"
    guard isKey || tokens[0].isOne(of: "UNIQUE") else { return nil }
    guard let columns = tokens.dropFirst(isKey ? 2 : 1).plainColumns else { return nil }
    let list = columns.map(\.swiftLiteral).joined(separator: ", ")
    return "t.\(isKey ? "primaryKey" : "uniqueKey")([\(list)])"
  }
}

extension ColumnText {
  /// The definition of the column, or nil for what only SQL can say.
  fileprivate func swift(adding: Bool, _ schema: SchemaModel) -> String? {
    var clauses = clauses.filter { $0.tokens.key != "null" }
    guard clauses.allSatisfy({ !$0.isNamed }), Set(clauses.map(\.kind)).count == clauses.count
    else { return nil }
    var text: String
    let keyIndex = clauses.firstIndex { $0.kind == "PRIMARY" }
    if !adding, type.key == "integer", let keyIndex {
      switch clauses[keyIndex].tokens.key {
      case "primary key": text = "t.primaryKey(\(name.swiftLiteral), .integer)"
      case "primary key autoincrement": text = "t.autoIncrementedPrimaryKey(\(name.swiftLiteral))"
      default: return nil
      }
      clauses.remove(at: keyIndex)
    } else {
      text = adding ? "t.add(column: " : "t.column("
      text += name.swiftLiteral + (swiftType.map { ", \($0)" } ?? "") + ")"
    }
    for clause in clauses {
      guard let swift = clause.swift(schema) else { return nil }
      text += swift
    }
    return text
  }

  private var swiftType: String? {
    guard !type.isEmpty else { return nil }
    let known = [
      "TEXT", "INTEGER", "DOUBLE", "REAL", "NUMERIC", "BOOLEAN", "BLOB", "DATE", "DATETIME", "ANY",
    ]
    if type.count == 1, known.contains(type[0].text.asciiUppercased) { return ".\(type.key)" }
    let sql = type.enumerated().map { index, token in
      let isApart = index > 0 && token.kind != .symbol && type[index - 1].kind != .symbol
      return (isApart ? " " : "") + token.text
    }
    return ".init(rawValue: \(sql.joined().swiftLiteral))"
  }
}

extension ColumnText.Clause {
  fileprivate func swift(_ schema: SchemaModel) -> String? {
    switch kind {
    case "NOT": tokens.count == 2 ? ".notNull()" : nil
    case "UNIQUE": tokens.count == 1 ? ".unique()" : nil
    case "PRIMARY": tokens.key == "primary key" ? ".primaryKey()" : nil
    case "COLLATE": swiftCollation
    case "DEFAULT": swiftDefault
    case "CHECK": ".check(sql: \(tokens.dropFirst(2).dropLast().onOneLine.swiftLiteral))"
    case "GENERATED", "AS": swiftGeneration
    case "REFERENCES": swiftReference(schema)
    default: nil
    }
  }

  private var swiftCollation: String? {
    let name = tokens[1].key
    guard ["nocase", "binary", "rtrim"].contains(name) else {
      return ".collate(.init(rawValue: \(tokens[1].name.swiftLiteral)))"
    }
    return ".collate(.\(name))"
  }

  private var swiftDefault: String? {
    let value = tokens.dropFirst().onOneLine
    if let number = Int64(value), "\(number)" == value { return ".defaults(to: \(number))" }
    if tokens.count == 2, tokens[1].kind == .text {
      return ".defaults(to: \(value.unquoted.swiftLiteral))"
    }
    return ".defaults(sql: \(value.swiftLiteral))"
  }

  private var swiftGeneration: String? {
    let rest = tokens.drop { !$0.isOne(of: "AS") }.dropFirst()
    let isStored = rest.last?.isOne(of: "STORED") == true
    let hasKind = isStored || rest.last?.isOne(of: "VIRTUAL") == true
    let sql = rest.dropFirst().dropLast(hasKind ? 2 : 1).onOneLine.swiftLiteral
    return ".generatedAs(sql: \(sql)\(isStored ? ", .stored" : ""))"
  }

  /// With the actions, and no other options.
  private func swiftReference(_ schema: SchemaModel) -> String? {
    let table = tokens[1].name
    var rest = tokens.dropFirst(2)
    let named = rest.columnList
    if !named.isEmpty { rest = rest.dropFirst(2 * named.count + 1) }
    let columns = named.isEmpty ? schema.table(table)?.primaryKey ?? [] : named
    guard columns.count == 1, !table.hasDot else { return nil }
    var text = ".references(\(table.swiftLiteral), column: \(columns[0].swiftLiteral)"
    var actions: [String: String] = [:]
    while rest.first?.isOne(of: "ON") == true {
      let event = rest.dropFirst().first?.key ?? ""
      let words = rest.dropFirst(2).prefix { !$0.isOne(of: ["ON", "DEFERRABLE", "NOT", "MATCH"]) }
      rest = rest.dropFirst(2 + words.count)
      let names = [
        "cascade": ".cascade", "restrict": ".restrict", "set null": ".setNull",
        "set default": ".setDefault",
      ]
      guard let name = names[words.key] ?? (words.key == "no action" ? "" : nil) else { return nil }
      actions[event] = name
    }
    guard rest.isEmpty else { return nil }
    for (label, event) in [("onDelete", "delete"), ("onUpdate", "update")] {
      if let action = actions[event], !action.isEmpty { text += ", \(label): \(action)" }
    }
    return text + ")"
  }
}

extension String {
  /// Whether Swift's calls may read the name as those of a schema and an object: `temp.book`.
  fileprivate var hasDot: Bool { utf8.contains(UInt8(ascii: ".")) }

  /// A definition without comments, and with single spaces outside of quotes.
  var onOneLine: String { SQLLexer.tokens(ofSchema: self).onOneLine }
}

extension Sequence<SQLToken> {
  /// The tokens with single spaces where there were any.
  var onOneLine: String {
    var end: Int?
    return map { token in
      defer { end = token.range.upperBound }
      return (end.map { $0 < token.range.lowerBound } == true ? " " : "") + token.text
    }.joined()
  }
}

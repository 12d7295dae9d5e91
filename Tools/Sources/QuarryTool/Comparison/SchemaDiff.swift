import Quarry

/// The statements that have made the objects of a schema, by kind and name.
struct SchemaTexts {
  var texts: [String: String]

  init(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type || ' ' || name, sql FROM sqlite_master
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """)
    texts = try Dictionary(
      rows.map { row in try (row.decode(atIndex: 0), row.decode(atIndex: 1)) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// The differences between two schemas. Tables whose statements differ are compared column by column.
struct SchemaDiff {
  var old: Catalog
  var new: Catalog
  var oldTexts: SchemaTexts
  var newTexts: SchemaTexts

  /// - returns: the number of differences.
  func show() -> Int {
    let names = Set(oldTexts.texts.keys).union(newTexts.texts.keys).sorted()
    let shadows = Set((old.tables + new.tables).filter { $0.kind == .shadow }.map(\.name))
    let lines = names.filter {
      !shadows.contains(String($0.split(separator: " ", maxSplits: 1)[1]))
    }
    .flatMap(differences)
    for line in lines { Output.line(line.onOneLine) }
    return lines.count
  }

  private func differences(_ name: String) -> [String] {
    switch (oldTexts.texts[name], newTexts.texts[name]) {
    case (_?, nil): ["- \(name)"]
    case (nil, _?): ["+ \(name)"]
    case (let old?, let new?) where Self.normalized(old) != Self.normalized(new):
      ["~ \(name)"] + details(String(name.drop { $0 != " " }.dropFirst()))
    default: []
    }
  }

  /// Statements that differ in white space alone are the same.
  private static func normalized(_ sql: String) -> String {
    sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func details(_ name: String) -> [String] {
    guard let old = old.tables.first(where: { $0.name == name }),
      let new = new.tables.first(where: { $0.name == name })
    else { return [] }
    let names = old.columns.map(\.name) + new.columns.map(\.name).filter { old.column($0) == nil }
    return names.flatMap { column in
      let lines = (old.column(column)?.definition, new.column(column)?.definition)
      if lines.0 == lines.1 { return [String]() }
      return [lines.0.map { "  - \($0)" }, lines.1.map { "  + \($0)" }].compactMap { $0 }
    }
  }
}

extension Catalog.Column {
  fileprivate var definition: String {
    let parts = [
      name, type, isNotNull ? "NOT NULL" : "", defaultSQL.map { "DEFAULT \($0)" } ?? "",
      keyPosition > 0 ? "PRIMARY KEY" : "", isGenerated ? "GENERATED" : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

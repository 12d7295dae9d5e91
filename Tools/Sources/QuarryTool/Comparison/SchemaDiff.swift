import Quarry

/// The objects of a schema, by kind and name: `index book_author`.
struct SchemaTexts {
  struct Object {
    /// The table of an index or trigger, or the name.
    var table: String
    /// The statement that has made it.
    var sql: String
  }

  var texts: [String: Object]

  init(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type || ' ' || name, tbl_name, sql FROM sqlite_master
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """)
    texts = try Dictionary(
      rows.map { row in
        try (
          row.decode(atIndex: 0),
          Object(table: row.decode(atIndex: 1), sql: row.decode(atIndex: 2))
        )
      },
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
    case (let old?, nil): ["- \(summary(name, old, self.old))"]
    case (nil, let new?): ["+ \(summary(name, new, self.new))"]
    case (let old?, let new?) where Self.normalized(old.sql) != Self.normalized(new.sql):
      ["~ \(summary(name, new, self.new))"] + details(name, old, new)
    default: []
    }
  }

  /// Statements that differ in white space alone are the same.
  private static func normalized(_ sql: String) -> String {
    sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// `index book_title on book (title), unique`, `trigger book_insert on book`, `table book`
  private func summary(_ name: String, _ object: SchemaTexts.Object, _ catalog: Catalog) -> String {
    if name.hasPrefix("trigger ") { return "\(name) on \(object.table)" }
    guard name.hasPrefix("index ") else { return name }
    let index = catalog.tables.lazy.flatMap(\.indexes).first { "index \($0.name)" == name }
    return "\(name) on \(object.table)" + (index.map { " \($0.terms)" } ?? "")
  }

  /// The columns that differ. Where none does, the statements.
  private func details(
    _ name: String, _ oldObject: SchemaTexts.Object, _ newObject: SchemaTexts.Object
  ) -> [String] {
    let table = String(name.drop { $0 != " " }.dropFirst())
    let columns = name.hasPrefix("table ") || name.hasPrefix("view ") ? columnDetails(table) : []
    let sql = [oldObject, newObject].map { Self.normalized($0.sql) }
    return columns.isEmpty ? ["  - \(sql[0])", "  + \(sql[1])"] : columns
  }

  private func columnDetails(_ name: String) -> [String] {
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

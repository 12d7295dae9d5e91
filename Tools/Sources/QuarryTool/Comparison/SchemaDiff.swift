import Quarry

/// The objects of a schema.
struct SchemaTexts {
  struct Object {
    var kind: String
    var name: String
    /// The table of an index or trigger, or the name.
    var table: String
    /// The statement that has made it.
    var sql: String

    /// `index book_author`
    var title: String { "\(kind) \(name)" }

    /// Statements that differ in white space alone are the same.
    var normalizedSQL: String { StatementScanner.normalized(sql) }
  }

  /// By the bytes of their titles.
  var objects: [[UInt8]: Object]

  init(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name, tbl_name, sql FROM sqlite_master
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """)
    let list = try rows.map { row in
      try Object(
        kind: row.decode(atIndex: 0), name: row.decode(atIndex: 1), table: row.decode(atIndex: 2),
        sql: row.decode(atIndex: 3))
    }
    objects = Dictionary(list.map { (Array($0.title.utf8), $0) }) { first, _ in first }
  }
}

/// The differences between two schemas. Tables whose statements differ are compared column by
/// column.
struct SchemaDiff {
  var old: Catalog
  var new: Catalog
  var oldTexts: SchemaTexts
  var newTexts: SchemaTexts

  /// - returns: the number of differences.
  func show() -> Int {
    let shadows = Set((old.tables + new.tables).filter { $0.kind == .shadow }.map(\.name.nameKey))
    let objects = oldTexts.objects.merging(newTexts.objects) { old, _ in old }
    let lines = objects.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .filter { !shadows.contains($0.value.name.nameKey) }
      .flatMap { differences($0.key) }
    for line in lines { Output.line(line.onOneLine) }
    return lines.count
  }

  private func differences(_ key: [UInt8]) -> [String] {
    switch (oldTexts.objects[key], newTexts.objects[key]) {
    case (let old?, nil): ["- \(summary(old, self.old))"]
    case (nil, let new?): ["+ \(summary(new, self.new))"]
    case (let old?, let new?) where !isSame(old.normalizedSQL, new.normalizedSQL):
      ["~ \(summary(new, self.new))"] + details(old, new)
    default: []
    }
  }

  private func isSame(_ text: String?, _ other: String?) -> Bool {
    text.map { Array($0.utf8) } == other.map { Array($0.utf8) }
  }

  /// `index book_title on book (title), unique`, `trigger book_insert on book`, `table book`
  private func summary(_ object: SchemaTexts.Object, _ catalog: Catalog) -> String {
    if object.kind == "trigger" { return "\(object.title) on \(object.table)" }
    guard object.kind == "index" else { return object.title }
    let index = catalog.tables.lazy.flatMap(\.indexes).first { $0.name.isSameName(as: object.name) }
    return "\(object.title) on \(object.table)" + (index.map { " \($0.terms)" } ?? "")
  }

  /// The columns that differ. Where none does, the statements.
  private func details(_ old: SchemaTexts.Object, _ new: SchemaTexts.Object) -> [String] {
    let columns = ["table", "view"].contains(new.kind) ? columnDetails(new.name) : []
    return columns.isEmpty ? ["  - \(old.normalizedSQL)", "  + \(new.normalizedSQL)"] : columns
  }

  private func columnDetails(_ name: String) -> [String] {
    guard let old = old.tables.first(where: { $0.name.isSameName(as: name) }),
      let new = new.tables.first(where: { $0.name.isSameName(as: name) })
    else { return [] }
    let names = old.columns.map(\.name) + new.columns.map(\.name).filter { old.column($0) == nil }
    return names.flatMap { column in
      let lines = (old.column(column)?.definition, new.column(column)?.definition)
      if isSame(lines.0, lines.1) { return [String]() }
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

/// Writes definitions: `CREATE`, `ALTER` and `DROP` statements, and those that go with them.
///
/// Definitions have no arguments: the values in them are SQL literals. Their objects are resolved
/// before: names have their schema, and foreign keys their columns.
struct DefinitionWriter: ~Copyable {
  var buffer = SQLBuffer()
  let schema: any SchemaReader

  /// One statement.
  static func statement(
    _ schema: any SchemaReader, _ write: (inout DefinitionWriter) throws -> Void
  ) rethrows -> String {
    var writer = DefinitionWriter(schema: schema)
    try write(&writer)
    return writer.buffer.string
  }

  /// `DROP TABLE "book"`
  static func drop(_ kind: StaticString, _ name: DefinitionName) -> String {
    var buffer = SQLBuffer()
    buffer.append("DROP ")
    buffer.append(kind)
    buffer.append(" ")
    buffer.append(name)
    return buffer.string
  }

  /// `CREATE TEMPORARY TABLE IF NOT EXISTS `
  mutating func writeCreate(
    _ kind: StaticString, isTemporary: Bool = false, ifNotExists: Bool = false
  ) {
    buffer.append("CREATE ")
    if isTemporary { buffer.append("TEMPORARY ") }
    buffer.append(kind)
    buffer.append(ifNotExists ? " IF NOT EXISTS " : " ")
  }

  /// A comment at the end of SQL ends with it.
  mutating func write(_ sql: DefinitionSQL) throws {
    try buffer.append(text: sql.text(schema))
  }

  /// `CHECK ("pages" > 0)`
  mutating func write(check: DefinitionSQL) throws {
    buffer.append("CHECK (")
    try write(check)
    buffer.append(")")
  }

  /// ` ON CONFLICT FAIL`, or nothing.
  mutating func write(_ conflict: ConflictClause) {
    guard let resolution = conflict.resolution else { return }
    buffer.append(" ON CONFLICT ")
    buffer.append(text: resolution.rawValue)
  }

  /// Writes nothing for ABORT, which is SQLite's default.
  mutating func write(unlessDefault conflict: ConflictClause) {
    if conflict.resolution != .abort { write(conflict) }
  }
}

extension SQLBuffer {
  /// `"book"`, or `"archive"."book"`
  mutating func append(_ name: DefinitionName) {
    if let schema = name.schema {
      append(identifier: schema.name)
      append(".")
    }
    append(identifier: name.name)
  }

  /// `"id", "title"`
  mutating func append(identifiers names: [String]) {
    for (index, name) in names.enumerated() {
      if index > 0 { append(", ") }
      append(identifier: name)
    }
  }
}

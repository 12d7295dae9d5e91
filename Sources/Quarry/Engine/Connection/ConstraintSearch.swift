/// Identifies the constraint that a statement has violated: the text that SQLite reports is the one
/// that it writes about a key, a column or a check of a table of the schema. To split the text
/// would fail for names with dots, commas or quotes.
struct ConstraintSearch {
  private typealias Constraint = DatabaseError.Constraint

  let db: Database
  /// The tables that the statement changes, and those that it alters or drops.
  private let tableNames: [String]
  /// The text after `… constraint failed: `.
  private let subject: String
  private let message: String

  init(_ message: String, of statement: Statement, in db: Database) {
    self.db = db
    self.message = message
    let effects = statement.effects
    tableNames = effects.kinds.map(\.tableName) + effects.alteredTables.sorted().map(\.text)
    subject =
      message.firstRange(of: " constraint failed: ").map { String(message[$0.upperBound...]) } ?? ""
  }

  /// The constraint with a result code. Foreign keys, which SQLite does not name, are not searched.
  func constraint(_ code: ResultCode) -> DatabaseError.Constraint {
    let kind = Constraint.Kind(code)
    let found: Constraint? =
      switch kind {
      case .unique, .primaryKey, .rowID: expressionIndex(kind) ?? first { key(kind, in: $0) }
      case .notNull: first { column(kind, in: $0) { subject.hasSameBytes(as: $0) } }
      case .dataType: first { column(kind, in: $0) { message.hasSuffix(" column \($0)") } }
      case .check: first { check(in: $0) }
      case .foreignKey, .trigger, .other: nil
      }
    return found ?? Constraint(kind)
  }

  /// The first result for a table of the statement, else for another one: foreign keys change
  /// tables that the statement does not name.
  private func first(_ find: (CachedTable) -> Constraint?) -> Constraint? {
    func first(_ names: [String]) -> Constraint? {
      names.lazy.compactMap { try? db.schema.resolve($0) }.compactMap(find).first
    }
    return first(tableNames) ?? (try? db.schema.allTableNames()).flatMap(first)
  }

  private func key(_ kind: Constraint.Kind, in table: CachedTable) -> Constraint? {
    let schema = db.schema
    func matches(_ columns: [String]) -> Bool {
      columns.map { "\(table.id.name).\($0)" }.joined(separator: ", ").hasSameBytes(as: subject)
    }
    if kind != .unique {
      guard let columns = try? schema.primaryKey(of: table)?.columns, matches(columns)
      else { return nil }
      return Constraint(
        kind, table: table.id.name, columns: columns,
        name: table.constraintName(.primaryKey, columns))
    }
    let indexes = (try? schema.indexes(on: table))?.filter { $0.isUnique && matches($0.columns) }
    guard let index = indexes?.first else { return nil }
    let name =
      index.origin == .createIndex ? index.name : table.constraintName(.unique, index.columns)
    return Constraint(
      kind, table: table.id.name, columns: index.columns,
      name: indexes?.count == 1 ? name : nil)
  }

  /// SQLite reports the name of an index on expressions.
  private func expressionIndex(_ kind: Constraint.Kind) -> Constraint? {
    let prefix = "index "
    guard subject.utf8.starts(with: "index '".utf8) else { return nil }
    let name = String(subject.dropFirst(prefix.count)).unquoted
    let objects = (try? db.schema.catalogs(named: nil).flatMap(db.schema.objects)) ?? []
    let index = objects.first { $0.type == "index" && $0.name == name }
    return Constraint(kind, table: index?.tableName, name: name)
  }

  private func column(
    _ kind: Constraint.Kind, in table: CachedTable, _ isSubject: (String) -> Bool
  ) -> Constraint? {
    let columns = (try? db.schema.columns(of: table).map(\.name)) ?? []
    guard let column = columns.first(where: { isSubject("\(table.id.name).\($0)") })
    else { return nil }
    return Constraint(
      kind, table: table.id.name, columns: [column],
      name: kind == .notNull ? table.constraintName(.notNull, [column]) : nil)
  }

  private func check(in table: CachedTable) -> Constraint? {
    let checks = DeclaredConstraint.checks(in: table.sql ?? "").filter {
      $0.reportedName == subject
    }
    guard let check = checks.first else { return nil }
    let names = Set(SQLTokens.items(check.condition).compactMap { $0.name?.identifierKey })
    let columns = (try? db.schema.columns(of: table).map(\.name)) ?? []
    return Constraint(
      .check, table: table.id.name,
      columns: checks.count == 1 ? columns.filter { names.contains($0.identifierKey) } : [],
      name: check.name)
  }
}

extension DatabaseSchemaReader {
  /// The names of the tables and views, without those that SQLite makes.
  func allTableNames() throws -> [String] {
    try catalogs(named: nil).flatMap(objects)
      .filter { ($0.type == "table" || $0.type == "view") && !$0.isInternal }.map(\.name)
  }

  /// A foreign key as a constraint of its table.
  ///
  /// - parameter schema: Nil for the first one that has the table.
  func constraint(
    _ key: ForeignKeyInfo, from table: String, in schema: String? = nil
  ) -> DatabaseError.Constraint {
    DatabaseError.Constraint(
      .foreignKey, table: table, columns: key.originColumns,
      name: (try? resolve(table, in: schema))?.constraintName(.foreignKey, key.originColumns))
  }
}

extension CachedTable {
  /// The name of a constraint in the definition of the table.
  func constraintName(_ kind: DeclaredConstraint.Kind, _ columns: [String]) -> String? {
    DeclaredConstraint.all(in: sql ?? "").first { constraint in
      constraint.kind == kind && constraint.name != nil && constraint.columns.count == columns.count
        && zip(constraint.columns, columns).allSatisfy { $0.isSameIdentifier(as: $1) }
    }?.name
  }
}

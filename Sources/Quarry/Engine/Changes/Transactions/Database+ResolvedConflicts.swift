// SQLite reports that a statement has violated a constraint, but not how the conflict was resolved:
// whether the statement has left changes, or has removed rows that were in the way.
//
// See <https://www.sqlite.org/lang_conflict.html>.

extension Database {
  /// Whether a statement has kept what it had changed before it failed: its conflict resolution
  /// algorithm was `FAIL`.
  ///
  /// SQLite counts the rows then, and no row otherwise. Those that triggers have changed are not
  /// counted: where there are triggers, the SQL says which algorithms are possible. Violated
  /// foreign keys have no algorithm.
  func keepsChanges(
    of failure: FailedStatement, _ statement: Statement, _ code: ResultCode
  ) -> Bool {
    if statement.effects.changesSchema { return false }
    if failure.keptRowCount > 0 { return true }
    if code == .SQLITE_CONSTRAINT_FOREIGNKEY { return false }
    let objects = schemaObjects(ofTables: statement.effects.changedTables)
    if engine == nil, objects?.contains(where: { $0.type == "trigger" }) == false { return false }
    return mayResolveConflicts(of: statement, by: "FAIL")
  }

  /// Whether a statement may remove rows that are in the way of others: it says so, or a constraint
  /// or trigger of any table does.
  func mayReplace(_ statement: Statement) -> Bool {
    if statement.sql.resolvesConflicts(by: "REPLACE") { return true }
    let generation = schema.generation
    if let known = broker.replacement, known.generation == generation { return known.isPossible }
    let isPossible = schemaObjects()?.contains { $0.resolvesConflicts(by: "REPLACE") } ?? true
    broker.replacement = (generation, isPossible)
    return isPossible
  }

  /// Whether a statement may resolve a conflict by an algorithm: it says so, or a constraint or
  /// trigger of the tables that it changes does.
  func mayResolveConflicts(of statement: Statement, by algorithm: String) -> Bool {
    if statement.sql.resolvesConflicts(by: algorithm) { return true }
    return schemaObjects(ofTables: statement.effects.changedTables)?
      .contains { $0.resolvesConflicts(by: algorithm) } ?? true
  }

  /// Whether a constraint of a table resolves conflicts in another way than by `ABORT`. A column
  /// that gets its default value instead of NULL does not count.
  package func constraintsResolveConflicts(
    of table: String, in schemaName: String? = nil
  ) throws -> Bool { try schema.resolve(table, in: schemaName).sql?.hasResolvingConstraint == true }

  /// The objects of all schemas, or those of some tables, by their keys. Nil where a schema can't
  /// be read.
  package func schemaObjects(ofTables tables: Set<BinaryText>? = nil) -> [SchemaObject]? {
    guard let catalogs = try? schema.catalogs(named: nil),
      let objects = try? catalogs.flatMap({ try schema.knownObjects(of: $0) }),
      catalogs.allSatisfy({ $0.objects != nil })
    else { return nil }
    guard let tables else { return objects }
    return objects.filter { tables.contains($0.tableName.identifierKey) }
  }
}

extension SchemaObject {
  fileprivate func resolvesConflicts(by algorithm: String) -> Bool {
    sql?.resolvesConflicts(by: algorithm) == true
  }
}

extension String {
  /// Whether SQL names a conflict resolution algorithm, by `OR FAIL`, `ON CONFLICT FAIL`,
  /// `RAISE(FAIL, …)` or `REPLACE INTO`, and not only a name, a text or a function like it.
  package func resolvesConflicts(by algorithm: String) -> Bool {
    guard uppercased().contains(algorithm) else { return false }
    let items = SQLTokens.items(self)
    return items.indices.contains { index in
      guard items[index].isKeyword(algorithm) else { return false }
      if items[(index + 1)...].first?.isKeyword("INTO") == true { return true }
      guard index > 1 else { return false }
      let (first, second) = (items[index - 2], items[index - 1])
      if second == .open { return first.isKeyword("RAISE") }
      // `a OR replace` is a condition.
      return second.isKeyword("CONFLICT")
        || second.isKeyword("OR") && ["INSERT", "UPDATE"].contains(where: first.isKeyword)
    }
  }

  /// Whether the SQL of a table has a clause `ON CONFLICT` of another algorithm than `ABORT`, but
  /// for `NOT NULL ON CONFLICT REPLACE`, which gives a column its default value.
  fileprivate var hasResolvingConstraint: Bool {
    guard uppercased().contains("CONFLICT") else { return false }
    let items = SQLTokens.items(self)
    return items.indices.dropFirst(2).dropLast().contains { index in
      guard items[index].isKeyword("CONFLICT"), items[index - 1].isKeyword("ON") else {
        return false
      }
      let algorithm = items[index + 1]
      let givesDefault = items[index - 2].isKeyword("NULL") && algorithm.isKeyword("REPLACE")
      return !givesDefault && !algorithm.isKeyword("ABORT")
    }
  }
}

import Quarry

// ALTER TABLE leaves full-text tables as they are, which name the table with their texts and its
// columns; and triggers name the columns of full-text tables.

extension SchemaModel {
  /// The schema after the renaming of tables and columns, with full-text tables that follow.
  ///
  /// - throws: ``MigrationDraftError`` for a view or a trigger that names a column of a full-text
  ///   table elsewhere than in an insertion.
  func followed(byFullTextTables renames: [DraftStep]) throws -> SchemaModel {
    var model = self
    for object in objects {
      guard let content = RenamedContent(object, renames) else { continue }
      model.setSQL(content.creation, of: object)
      for trigger in model.objects("trigger") {
        model.setSQL(content.renamingColumns(inInsertionsOf: trigger), of: trigger)
      }
      for user in model.objects("trigger") + model.objects("view") {
        try content.checkNamesNoOldColumn(user)
      }
    }
    return model
  }

  /// The statements that make the settings of FTS5 tables, by the keys of their names.
  func fullTextSettings(_ db: Database) throws -> [BinaryText: [String]] {
    try objects.reduce(into: [:]) { settings, object in
      guard let table = object.fullText else { return }
      settings[object.name.identifierKey] = try db.settings(of: table)
    }
  }
}

extension SchemaModel.Object {
  /// Nil for another object.
  var fullText: FullTextTable? {
    guard kind == "virtual table" else { return nil }
    return FullTextTable(DatabaseObjectID(name: name, schemaID: .main), sql: sql)
  }
}

/// The content table of a full-text table, which gets another name, or columns with other names.
private struct RenamedContent {
  private let fullText: SchemaModel.Object
  private let oldTable: String
  /// The columns of the full-text table itself.
  private let columns: [(old: String, new: String)]
  /// The statement that creates the full-text table.
  let creation: String

  /// Nil for another table, and where no name changes that a full-text table has.
  init?(_ object: SchemaModel.Object, _ renames: [DraftStep]) {
    guard let oldTable = object.contentTable, let module = ModuleArguments(sql: object.sql) else {
      return nil
    }
    var table = oldTable
    var renamed: [(old: String, new: String)] = []
    for rename in renames {
      switch rename {
      case .renameTable(let old, let new) where old.isSameIdentifier(as: oldTable): table = new
      case .renameColumn(let old, let new, let owner) where owner.isSameIdentifier(as: table):
        renamed.append((old, new))
      default: break
      }
    }
    let name = object.name.quotedDatabaseIdentifier
    creation = module.creation(of: name, content: table, renaming: renamed)
    (fullText, self.oldTable) = (object, oldTable)
    columns = renamed.filter { module.hasColumn($0.old) }
    if columns.isEmpty, creation == module.creation(of: name, content: oldTable) { return nil }
  }

  /// A trigger with the new names of the columns that it fills.
  func renamingColumns(inInsertionsOf trigger: SchemaModel.Object) -> String {
    let tokens = trigger.tokens
    var filled: [SQLToken] = []
    for (index, token) in tokens.enumerated() where token.isOne(of: "INTO") {
      let rest = tokens.dropFirst(index + 1)
      guard rest.first?.names(fullText.name) == true, rest.dropFirst().first?.depthChange == 1
      else { continue }
      filled += rest.dropFirst(2).prefix { $0.depthChange == 0 }
    }
    var bytes = Array(trigger.sql.utf8)
    for token in filled.reversed() {
      guard let column = columns.first(where: { token.names($0.old) }) else { continue }
      bytes.replaceSubrange(token.range, with: column.new.quotedDatabaseIdentifier.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func checkNamesNoOldColumn(_ user: SchemaModel.Object) throws {
    let tokens = user.tokens
    guard tokens.contains(where: { $0.names(fullText.name) }),
      let column = columns.first(where: { column in
        tokens.contains { $0.names(column.old) }
      })
    else { return }
    throw MigrationDraftError.invalidName(
      "\(oldTable).\(column.old)",
      reason: "\(user.title) names it, or seems to, as a column of the full-text table "
        + "\(fullText.name): change that first")
  }
}

extension ModuleArguments {
  /// Whether a full-text table has a column of its content table: without a list, it has all.
  fileprivate func hasColumn(_ name: String) -> Bool {
    let own = columns + (option("languageid").map { [$0] } ?? [])
    return columns.isEmpty || own.contains { $0.isSameIdentifier(as: name) }
  }
}

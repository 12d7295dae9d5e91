/// A table to create, as a value: `TableResolver` finds out what it stands for.
struct TableModel {
  enum Item {
    case column(ColumnDefinition)
    case rawColumn(SQL)
    case belongsTo(ForeignKeyDefinition)
    case foreignKey(columns: [String], ReferenceModel)
  }

  /// The table-level primary key.
  enum PrimaryKey {
    case columns([String], ConflictClause)
    /// All columns of the items declared in a `primaryKey { }` body.
    case items(Range<Int>, ConflictClause)
  }

  var name: String
  var options: TableOptions
  var items: [Item] = []
  var primaryKey: PrimaryKey?
  var uniqueKeys: [(columns: [String], ConflictClause)] = []
  var checks: [SQL] = []
  var constraints: [SQL] = []
  /// The fault that makes the definition invalid: thrown by the resolver.
  var fault: String?
}

/// A column to create.
struct ColumnModel {
  struct PrimaryKey {
    var conflict: ConflictClause
    var isAutoincremented: Bool
  }

  enum Index {
    case none, plain
    case unique(ConflictClause)
  }

  var name: String
  var type: Database.ColumnType?
  var primaryKey: PrimaryKey?
  var notNull: ConflictClause?
  var index = Index.none
  var checks: [SQL] = []
  var defaultValue: SQL?
  var collation: String?
  var references: [ReferenceModel] = []
  var generation: (expression: SQL, ColumnDefinition.GeneratedColumnQualification)?
}

/// The reference of a foreign key.
struct ReferenceModel {
  var table: String
  /// Nil for the primary key of the table.
  var columns: [String]?
  var onDelete: Database.ForeignKeyAction?
  var onUpdate: Database.ForeignKeyAction?
  var isDeferred: Bool
}

/// Columns to create, one for each column of the primary key of another table.
struct BelongsToModel {
  var name: String
  /// Nil if the table is found from the name.
  var table: String?
  var onDelete: Database.ForeignKeyAction?
  var onUpdate: Database.ForeignKeyAction?
  var isDeferred: Bool
  var isIndexed: Bool
  var isUnique = false
  var notNull: ConflictClause?
}

/// `ON CONFLICT FAIL`, or nothing.
struct ConflictClause {
  var resolution: Database.ConflictResolution?
}

/// An index to create.
struct IndexModel {
  var name: DefinitionName
  var table: DefinitionName
  var terms: [SQLExpression]
  var options: IndexOptions
  var condition: SQLExpression?
}

extension IndexModel {
  /// An index of columns, whose name is made: `index_book_on_authorId_year`.
  init(
    defaultOf columns: [String], of table: DefinitionName, options: IndexOptions,
    condition: SQLExpression? = nil
  ) {
    self.init(
      name: table.sibling("index_\(table.name)_on_\(columns.joined(separator: "_"))"),
      table: table, terms: columns.map { SQLExpression(.column($0)) }, options: options,
      condition: condition)
  }
}

extension ColumnModel {
  /// The index that `indexed()` asks for.
  func index(of table: DefinitionName, options: IndexOptions) -> IndexModel? {
    guard case .plain = index else { return nil }
    let name = table.sibling("\(table.name)_on_\(name)")
    return IndexModel(
      name: name, table: table, terms: [SQLExpression(.column(self.name))], options: options)
  }
}

/// A schema of a connection, and its objects once they have been read.
package final class AttachedSchema {
  package let id: DatabaseSchemaID
  var objects: [SchemaObject]? { didSet { (tableNames, hasJoiningViews) = (nil, nil) } }
  /// The declared names of the tables, by their keys, once somebody has asked for one.
  var tableNames: [BinaryText: String]?
  /// Whether there are views that join by name, once somebody has asked.
  var hasJoiningViews: Bool?

  init(id: DatabaseSchemaID) { self.id = id }

  /// The names, lower-cased, of the table that lists the objects.
  var schemaTableNames: [String] {
    id == .temp
      ? ["sqlite_temp_master", "sqlite_temp_schema"] : ["sqlite_master", "sqlite_schema"]
  }
}

/// A row of `sqlite_master`.
package struct SchemaObject: Hashable, Sendable {
  package let type: String
  package let name: String
  package let tableName: String
  package let sql: String?

  package static func == (lhs: SchemaObject, rhs: SchemaObject) -> Bool {
    lhs.texts.hasSameTexts(as: rhs.texts)
  }

  package func hash(into hasher: inout Hasher) {
    for text in texts { hasher.combine(BinaryText(text)) }
  }

  /// No object has an empty text.
  private var texts: [String] { [type, name, tableName, sql ?? ""] }

  /// True for what SQLite and the library create, whose names are reserved.
  package var isInternal: Bool {
    [name, tableName].map(\.identifierKey).contains {
      $0.hasPrefix("sqlite_") || $0.hasPrefix("grdb_")
    }
  }
}

/// A table or view, and the facts about it that have been read.
package final class CachedTable {
  package enum Kind {
    case table, view
    /// Provided by SQLite or a module: not listed in the schema.
    case builtIn
  }

  enum PrimaryKey {
    case unknown, asking
    case known(PrimaryKeyInfo?)
  }

  package let id: DatabaseObjectID
  package let kind: Kind
  package let sql: String?
  var columns: [ColumnInfo]?
  var indexes: [IndexInfo]?
  var foreignKeys: [ForeignKeyInfo]?
  var options: DeclaredOptions?
  var primaryKey = PrimaryKey.unknown

  /// The tables of modules that need no `CREATE VIRTUAL TABLE` are virtual, too.
  package var isVirtual: Bool {
    kind == .builtIn || kind == .table && sql?.uppercased().hasPrefix("CREATE VIRTUAL") == true
  }

  init(id: DatabaseObjectID, kind: Kind, sql: String?) {
    self.id = id
    self.kind = kind
    self.sql = sql
  }

  /// `view v`, `temporary view v`, or `view attached.v`.
  var viewDescription: String {
    switch id.schemaID {
    case .main: "view \(id.name)"
    case .temp: "temporary view \(id.name)"
    default: "view \(id.schemaID.name).\(id.name)"
    }
  }
}

/// The options behind the columns of a table.
typealias DeclaredOptions = (isWithoutRowID: Bool, isStrict: Bool)

/// A row of `PRAGMA foreign_key_list` for each column.
struct ForeignKeyDeclaration {
  let id: Int
  let destinationTable: String
  var columns: [(origin: String, destination: String?)]

  /// Destination columns that are not declared are those of the primary key.
  func resolved(primaryKey: (String) throws -> [String]) rethrows -> ForeignKeyInfo {
    var mapping = columns.compactMap { column in
      column.destination.map { (origin: column.origin, destination: $0) }
    }
    if mapping.count < columns.count {
      mapping = try Array(zip(columns.map(\.origin), primaryKey(destinationTable)))
    }
    return ForeignKeyInfo(
      id: id, destinationTable: destinationTable, mapping: mapping,
      originColumns: mapping.isEmpty ? columns.map(\.origin) : nil)
  }
}

public import Quarry

/// The contents of a schema, as a value.
///
/// ```swift
/// let before = try dbQueue.read { try $0.schemaDescription() }
/// try migrator.migrate(dbQueue)
/// let after = try dbQueue.read { try $0.schemaDescription() }
/// print(before == after)
/// ```
///
/// Tables, views and triggers are sorted by name: two databases with the same objects have equal
/// descriptions, whatever the order of their creation.
public struct DatabaseSchemaDescription: Equatable, Sendable {
  /// The schema: `main`, `temp`, or an attached database.
  public var schemaID: DatabaseSchemaID

  /// The tables and virtual tables, those of SQLite and of the library excluded.
  public var tables: [TableDescription]

  /// The views.
  public var views: [ViewDescription]

  /// The triggers of tables and views.
  public var triggers: [Trigger]

  /// A table.
  public struct TableDescription: Equatable, Sendable {
    /// The name of the table.
    public var name: String

    /// The statement that has created the table.
    public var sql: String

    /// The columns, generated ones included, hidden ones of virtual tables excluded.
    public var columns: [Column]

    /// The columns of the primary key, in key order. Empty if the table declares no key.
    public var primaryKey: [String]

    /// The foreign keys, in the order of their declaration.
    public var foreignKeys: [ForeignKey]

    /// The indexes, those of constraints included, sorted by name.
    public var indexes: [Index]

    /// True if the rows have a rowid.
    public var hasRowID: Bool

    /// True for a table of a module: `CREATE VIRTUAL TABLE`.
    public var isVirtual: Bool
  }

  /// A view.
  public struct ViewDescription: Equatable, Sendable {
    /// The name of the view.
    public var name: String

    /// The statement that has created the view.
    public var sql: String

    /// The columns.
    public var columns: [Column]
  }

  /// A column of a table or view.
  public struct Column: Equatable, Sendable {
    /// The name of the column.
    public var name: String

    /// The declared type, empty if there is none.
    public var type: String

    /// True if the column is declared `NOT NULL`.
    public var isNotNull: Bool

    /// The SQL of the default value.
    public var defaultValueSQL: String?

    /// True if the values are computed: `GENERATED ALWAYS AS`.
    public var isGenerated: Bool
  }

  /// A foreign key.
  public struct ForeignKey: Equatable, Sendable {
    /// The columns that reference.
    public var columns: [String]

    /// The table that is referenced.
    public var destinationTable: String

    /// The columns that are referenced: the primary key, if the foreign key does not name them.
    /// Empty where it does not, and its table is missing.
    public var destinationColumns: [String]

    /// The action when the referenced row is deleted: `NO ACTION`, `CASCADE`...
    public var onDelete: String

    /// The action when the referenced key changes.
    public var onUpdate: String
  }

  /// An index.
  public struct Index: Equatable, Sendable {
    /// The name of the index.
    public var name: String

    /// The statement that has created the index. Nil for the index of a constraint.
    public var sql: String?

    /// The indexed columns and expressions, in index order.
    public var terms: [Term]

    /// True if the index forbids duplicates.
    public var isUnique: Bool

    /// True if the index has a condition.
    public var isPartial: Bool

    /// Where the index comes from.
    public var origin: IndexInfo.Origin

    /// A column or expression of an index.
    public struct Term: Equatable, Sendable {
      /// The column, nil for an expression.
      public var column: String?

      /// True if the values are in descending order.
      public var isDescending: Bool

      /// The collation that compares texts.
      public var collation: String
    }
  }

  /// A trigger.
  public struct Trigger: Equatable, Sendable {
    /// The name of the trigger.
    public var name: String

    /// The table or view.
    public var table: String

    /// The statement that has created the trigger.
    public var sql: String
  }
}

public import Quarry

/// A migration from one schema to another, written by comparing them.
///
/// ```swift
/// let draft = try MigrationDraft(from: dbQueue, to: newQueue, renaming: ["book.name": "title"])
/// print(draft.swift(identifier: "Titles"))
/// // migrator.registerMigration("Titles") { db in
/// //   try db.alter(table: "book") { t in
/// //     t.rename(column: "name", to: "title")
/// //   }
/// // }
/// ```
///
/// `ALTER TABLE` does what it can; the other tables are made anew with their rows. A column or
/// table with another name is dropped and created, unless it is renamed explicitly. Views and
/// triggers that name a table which is altered, or don't compile, are dropped first, and created at
/// the end. The rows of a table with a new full-text table over it are indexed, and those of a
/// view that is created again. A table of which nothing stays, and that has no rows, is made anew
/// without a copy: the migration fails in a database where it has some.
///
/// Schemas are equal if their tables have the same columns, in any order, with the same
/// constraints, and if the statements of indexes, triggers, views and virtual tables are the same
/// apart from white space, comments, quotes around names that need none, and case.
///
/// See <https://www.sqlite.org/lang_altertable.html>.
public struct MigrationDraft: Sendable {
  /// What a draft may do when it is asked to.
  public struct Permissions: OptionSet, Sendable {
    /// The bits of the permissions.
    public let rawValue: Int

    /// Creates permissions from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Tables and columns may be dropped, and values be converted to another type.
    public static let dataLoss = Permissions(rawValue: 1)
  }

  /// Data that the migration loses.
  public struct Loss: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of losses.
    public enum Kind: Hashable, Sendable {
      /// A table is dropped, or a virtual table made anew: not a full-text table whose texts stay
      /// in its content table, under the names of its columns.
      case table

      /// A column is dropped.
      case column

      /// The type of a column changes, and some values don't stay the same.
      case conversion
    }

    /// The kind of the loss.
    public let kind: Kind

    /// The table.
    public let table: String

    /// The column. Nil for a table.
    public let column: String?

    /// The number of rows of the old database that are lost, or of values: those that are not NULL,
    /// or that are not the same in the new type. Nil for a table that can't be read.
    public let count: Int?

    /// `column book.pages: 12 values`
    public var description: String {
      let count = count.map { "\($0)" } ?? "an unknown number of"
      return switch kind {
      case .table: "table \(table): \(count) rows"
      case .column: "column \(table).\(column ?? ""): \(count) values"
      case .conversion: "type of \(table).\(column ?? ""): \(count) values change"
      }
    }
  }

  /// A column that can't be NULL, without value for rows that exist.
  public struct MissingValue: Hashable, Sendable, CustomStringConvertible {
    /// The table.
    public let table: String

    /// The column.
    public let column: String

    /// The number of rows of the old database without a value.
    public let count: Int

    /// `book.pages: 12 rows without value`
    public var description: String { "\(table).\(column): \(count) rows without value" }
  }

  /// The data that the migration loses, in the old database.
  public let losses: [Loss]

  /// True if both schemas are the same.
  public var isEmpty: Bool { steps.isEmpty }

  /// The differences of the old schema from the new one, in words.
  public let differences: [String]

  /// The columns that no record type has, as `book.blurb`, in a draft for record types: they stay
  /// as they are.
  public internal(set) var unknownColumns: [String] = []

  let steps: [DraftStep]
  let target: SchemaModel

  /// Compares the main schemas of two databases.
  ///
  /// - parameter old: A database with the present schema. Its rows are counted.
  /// - parameter new: A database with the schema that is wanted. Its rows don't matter.
  /// - parameter renaming: New names of tables, as in `["player": "person"]`, and of columns, as in
  ///   `["player.name": "fullName"]`, with the old name of the table.
  /// - parameter values: SQL for the values of columns, over the columns of the old table after
  ///   they have been renamed: `["book.pages": "coalesce(pages, 0)"]`. No aggregates: write
  ///   subqueries.
  /// - parameter permissions: What the migration may do.
  /// - throws: A ``MigrationDraftError``, and a `DatabaseError` when a schema can't be read.
  public init(
    from old: any DatabaseReader, to new: any DatabaseReader, renaming: [String: String] = [:],
    values: [String: String] = [:], allowing permissions: Permissions = []
  ) throws {
    let target = try new.read { try SchemaModel($0) }
    self = try old.read { db in try MigrationDraft(db, target, renaming, values, permissions) }
  }

  /// Compares the main schema of a database with the one that SQL makes.
  ///
  /// ```swift
  /// let draft = try MigrationDraft(from: dbQueue, toSchema: "CREATE TABLE book (id INTEGER PRIMARY KEY)")
  /// ```
  ///
  /// See ``init(from:to:renaming:values:allowing:)``.
  public init(
    from old: any DatabaseReader, toSchema sql: String, renaming: [String: String] = [:],
    values: [String: String] = [:], allowing permissions: Permissions = []
  ) throws {
    self = try old.read { db in
      let target = try db.withTemporaryDatabase { queue in
        try queue.inDatabase { scratch in
          try scratch.execute(sql: sql)
          return try SchemaModel(scratch)
        }
      }
      return try MigrationDraft(db, target, renaming, values, permissions)
    }
  }

  init(
    _ db: Database, _ target: SchemaModel, _ renaming: [String: String],
    _ values: [String: String], _ permissions: Permissions
  ) throws {
    let old = try SchemaModel(db)
    let renames = try DraftRenames(renaming, old: old, new: target)
    let values = try DraftValues(values, new: target)
    let failingProbes = try SchemaProbe.all(db).filter {
      $0.schema == .main && $0.failure(db) != nil
    }
    let planner = try DraftPlanner(
      old: old, new: target, renames: renames, values: values,
      settings: old.fullTextSettings(db), failingProbes: failingProbes)
    let plan = try db.withTemporaryDatabase { queue in
      try queue.inDatabase { try planner.plan(on: $0) }
    }
    let data = DraftData(db: db, old: old, new: target, renames: renames, values: values)
    losses = try data.losses()
    let missing = try data.missingValues(plan)
    if !missing.isEmpty { throw MigrationDraftError.missingValues(missing) }
    try data.checkCopies(plan)
    if !losses.isEmpty, !permissions.contains(.dataLoss) {
      throw MigrationDraftError.dataLoss(losses)
    }
    (steps, self.target) = (plan, target)
    differences = old.differences(from: target)
  }
}

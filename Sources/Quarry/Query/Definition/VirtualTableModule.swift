/// A module that makes virtual tables, such as a full-text engine.
///
/// ```swift
/// struct RTree: VirtualTableModule {
///   final class Definition { var columns: [String] = [] }
///
///   var moduleName: String { "rtree" }
///   func makeTableDefinition(configuration: VirtualTableConfiguration) -> Definition { Definition() }
///   func moduleArguments(for t: Definition, in db: Database) -> [String] { t.columns }
///   func database(_ db: Database, didCreate table: String, using t: Definition) {}
/// }
///
/// // CREATE VIRTUAL TABLE "place" USING rtree(id, minX, maxX)
/// try db.create(virtualTable: "place", using: RTree()) { t in
///   t.columns = ["id", "minX", "maxX"]
/// }
/// ```
///
/// See <https://www.sqlite.org/vtab.html>.
public protocol VirtualTableModule {
  /// The type of the argument that the body of `create(virtualTable:)` receives.
  associatedtype TableDefinition

  /// The name of the module.
  var moduleName: String { get }

  /// A new definition, for the body of the creation of a table.
  func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition

  /// The arguments of the module, as SQL.
  func moduleArguments(for definition: TableDefinition, in db: Database) throws -> [String]

  /// Completes the creation of a table: creates triggers, loads rows.
  ///
  /// It is called in the transaction or savepoint that creates the table.
  func database(_ db: Database, didCreate tableName: String, using definition: TableDefinition)
    throws
}

/// How a virtual table is created.
public struct VirtualTableConfiguration {
  /// Whether the table belongs to the connection, and goes with it.
  public let isTemporary: Bool

  /// Whether a table that exists is kept.
  public let ifNotExists: Bool

  /// Whether the table exists, and is kept.
  public let tableExists: Bool
}

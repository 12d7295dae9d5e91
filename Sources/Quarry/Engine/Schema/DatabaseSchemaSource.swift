/// Reports facts that SQLite does not know about a schema: the primary keys of views.
///
/// ```swift
/// struct LibrarySchemaSource: DatabaseSchemaSource {
///   func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
///     view.name == "bestseller" ? ["id"] : nil
///   }
/// }
///
/// var configuration = Configuration()
/// configuration.schemaSource = LibrarySchemaSource()
/// ```
///
/// With a key, records on the view can be found, updated and deleted by it.
public protocol DatabaseSchemaSource: Sendable {
  /// The names of the columns of the primary key of a view, or nil if the view has none, or is
  /// unknown.
  ///
  /// Answers are kept until the schema changes. The method may read the schema of `db`.
  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]?
}

extension DatabaseSchemaSource {
  /// Nil: no view has a key.
  public func columnsForPrimaryKey(
    _ db: Database, inView view: DatabaseObjectID
  ) throws -> [String]? { nil }

  /// A schema source that asks `other` where this one has no answer.
  public func then(_ other: some DatabaseSchemaSource) -> some DatabaseSchemaSource {
    ChainedSchemaSource(first: self, second: other)
  }
}

private struct ChainedSchemaSource: DatabaseSchemaSource {
  let first: any DatabaseSchemaSource
  let second: any DatabaseSchemaSource

  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    try first.columnsForPrimaryKey(db, inView: view)
      ?? second.columnsForPrimaryKey(db, inView: view)
  }
}

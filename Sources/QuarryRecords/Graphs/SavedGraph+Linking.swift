public import Quarry

/// Whether a save writes records that are linked by rows of a table between.
public enum LinkedRecords: Hashable, Sendable {
  /// The records are inserted and updated, and linked.
  case saved
  /// The records are linked: they have rows already, which don't change.
  case untouched
}

extension SavedGraph {
  /// Links records by rows of a table between, and saves them with what they have.
  ///
  /// ```swift
  /// // INSERT INTO "bookGenre" ("bookId", "genreId") VALUES (?,?),(?,?)
  /// let graph = SavedGraph(\BookInfo.book)
  ///   .linking(many: \.genres, Book.genres, saving: .untouched, missing: .unlink)
  /// ```
  ///
  /// Links that are there already stay as they are, with their other columns. The records
  /// themselves are never removed.
  ///
  /// - parameter targets: The property with the records, or values with the records.
  /// - parameter association: The association, through one table with foreign keys to both sides.
  /// - parameter graph: The graph of each value.
  /// - parameter saving: Whether the records are saved too.
  /// - parameter columns: Values of other columns, for each new link.
  /// - parameter missing: What happens to links that the value does not contain.
  public func linking<Target, TargetRecord: MutablePersistableRecord>(
    many targets: any WritableKeyPath<Value, [Target]> & Sendable,
    _ association: HasManyThroughAssociation<Record, TargetRecord>,
    as graph: SavedGraph<Target, TargetRecord>, saving: LinkedRecords,
    columns: [String: (any DatabaseValueConvertible)?] = [:], missing: MissingLinks
  ) -> Self {
    adding(
      LinkingEdge(
        targets: GraphProperty(targets),
        steps: { db in try association.foreignKeySteps(from: Record.databaseTableName, db) },
        graph: graph, savesTargets: saving == .saved,
        columns: columns.mapValues { $0?.databaseValue ?? .null }, missing: missing))
  }

  /// Links records by rows of a table between, and saves them.
  ///
  /// See `linking(many:_:as:saving:columns:missing:)`.
  public func linking<TargetRecord: MutablePersistableRecord>(
    many targets: any WritableKeyPath<Value, [TargetRecord]> & Sendable,
    _ association: HasManyThroughAssociation<Record, TargetRecord>, saving: LinkedRecords,
    columns: [String: (any DatabaseValueConvertible)?] = [:], missing: MissingLinks
  ) -> Self {
    linking(
      many: targets, association, as: SavedGraph<TargetRecord, TargetRecord>.ofRecord,
      saving: saving, columns: columns, missing: missing)
  }
}

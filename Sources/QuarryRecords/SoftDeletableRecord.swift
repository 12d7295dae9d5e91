public import Quarry

/// A record whose deletion marks its row with the date: soft deletion.
///
/// ```swift
/// struct Book: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
///   var id: Int64
///   var title: String
/// }
///
/// // UPDATE "book" SET "deletedAt" = ? WHERE "id" = ? AND "deletedAt" IS NULL
/// try book.delete(db)
/// // SELECT * FROM "book" WHERE "deletedAt" IS NULL
/// let books = try Book.fetchAll(db)
/// // SELECT * FROM "book"
/// let all = try Book.withDeleted().fetchAll(db)
/// ```
///
/// Requests that begin with the type, with a `Table` of it, or reach it by an association, don't
/// have the rows that are marked: in joins, prefetches, aggregates, subqueries, counts, and by key.
/// The condition of an optional join stands in its `ON` clause, so that the parent stays.
/// `withDeleted()` lifts the condition, for the request or
/// the association that it is called on. SQL written by hand reads the table as it is.
///
/// `delete`, `deleteOne`, `deleteAll` and `deleteAndFetch…` mark rows: foreign keys with
/// `ON DELETE` actions and triggers of deletions don't take notice. `forceDelete` and
/// `forceDeleteAll` remove rows, `restore` and `restoreAll` bring them back.
///
/// The date is that of the transaction, stored as the type stores the dates of this column. The
/// record needs no property for it; if it has one, `update` writes what the record knows. Writes by
/// key (`update`, `save`, `upsert`) don't look at the mark.
///
/// The type itself declares its conformance to the record protocols, in its module. The requests of
/// a subclass of any record class, and of a record of another module, have all rows: `all()`,
/// `restore`, updates and deletions throw for them.
public protocol SoftDeletableRecord: TableRecord, _CheckedRecord {
  /// The column of the date of the deletion, which is null for other rows: `deletedAt`, if the type
  /// declares no other one.
  static var deletedAtColumn: String { get }
}

extension SoftDeletableRecord {
  /// `deletedAt`
  public static var deletedAtColumn: String { "deletedAt" }

  /// See ``deletedAtColumn``. Not for applications.
  public static var _deletionColumn: String? { deletedAtColumn }

  /// All records, also those that are deleted.
  ///
  /// ```swift
  /// // SELECT * FROM "book"
  /// let books = try Book.withDeleted().fetchAll(db)
  /// ```
  public static func withDeleted() -> QueryInterfaceRequest<Self> { all().withDeleted() }

  /// The deleted records.
  ///
  /// ```swift
  /// // SELECT * FROM "book" WHERE "deletedAt" IS NOT NULL
  /// let books = try Book.onlyDeleted().fetchAll(db)
  /// ```
  public static func onlyDeleted() -> QueryInterfaceRequest<Self> { all().onlyDeleted() }
}

extension Table where RowDecoder: SoftDeletableRecord {
  /// All rows, also those that are deleted. See ``SoftDeletableRecord/withDeleted()``.
  public func withDeleted() -> QueryInterfaceRequest<RowDecoder> { all().withDeleted() }

  /// The deleted rows. See ``SoftDeletableRecord/onlyDeleted()``.
  public func onlyDeleted() -> QueryInterfaceRequest<RowDecoder> { all().onlyDeleted() }
}

extension DerivableRequest where RowDecoder: SoftDeletableRecord {
  /// The request, or the association, with deleted records too.
  ///
  /// ```swift
  /// // SELECT "author".*, "book".* FROM "author"
  /// // LEFT JOIN "book" ON "book"."authorId" = "author"."id"
  /// Author.including(optional: Author.books.withDeleted())
  /// ```
  ///
  /// The associations of the request keep their condition, and so do the records between the ends
  /// of a through association. Call it before `first()` and `last()`.
  public consuming func withDeleted() -> Self { mapRelation { $0.show(.all) } }

  /// The request, or the association, with deleted records only.
  ///
  /// See `withDeleted()`.
  public consuming func onlyDeleted() -> Self { mapRelation { $0.show(.deleted) } }
}

extension QueryInterfaceRequest where RowDecoder: SoftDeletableRecord {
  /// Removes the rows of the request.
  ///
  /// ```swift
  /// // DELETE FROM "book" WHERE "deletedAt" < ? AND "deletedAt" IS NOT NULL
  /// try Book.onlyDeleted().filter(Column("deletedAt") < lastYear).forceDeleteAll(db)
  /// ```
  ///
  /// Without `withDeleted()` or `onlyDeleted()`, these are
  /// rows that are not marked as deleted.
  ///
  /// - Returns: the number of removed rows.
  /// - Throws: `InvalidRequest`, `DatabaseError`.
  @discardableResult
  public func forceDeleteAll(_ db: Database) throws -> Int { try removeAll(db) }

  /// Brings the deleted rows back that satisfy the other conditions of the request.
  ///
  /// ```swift
  /// // UPDATE "book" SET "deletedAt" = NULL WHERE "authorId" = ? AND "deletedAt" IS NOT NULL
  /// try Book.filter(Column("authorId") == 1).restoreAll(db)
  /// ```
  ///
  /// A limit counts the deleted rows, and after `withDeleted()` all rows.
  ///
  /// - Returns: the number of rows.
  /// - Throws: `InvalidRequest`, `DatabaseError`.
  @discardableResult
  public func restoreAll(_ db: Database) throws -> Int {
    var assignments = [Column(RowDecoder.deletedAtColumn).set(to: nil)]
    let versioned = RowDecoder.self as? any VersionedRecord.Type
    if let versioned { assignments.append(.nextVersion(versioned.versionColumn)) }
    return try mapRelation { $0.selectModified(.deleted) }.updateAll(db, assignments)
  }
}

extension QueryInterfaceRequest {
  /// Removes the rows of the request, also where deletions mark rows. Returns their number.
  ///
  /// Not for the type of the records alone: `deleteAll` is that of all requests.
  fileprivate func removeAll(_ db: Database) throws -> Int {
    var request = self
    request.relation.filters = ClauseList(
      relation.filters.compactMap { clause in
        guard case .scope(let scope) = clause else { return clause }
        return scope.condition.map { .expression($0) }
      })
    return try request.deleteAll(db)
  }
}

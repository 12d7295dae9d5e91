public import Quarry
import QuarryPages

/// What a fetch has found: the records of a request, or those of some rows.
public struct _FetchedRecords<Record: Sendable>: Sendable {
  enum Content: Sendable {
    /// All records, with their order if their rows are followed.
    case list([IdentifiedRecord<Record>], RowOrder?)
    /// The rowids of rows that may have changed, and those of these rows that are in the list.
    case rows(Set<Int64>, [IdentifiedRecord<Record>])
  }

  let content: Content
}

extension ValueReducers {
  /// Reports how the records of a request change. See
  /// ``ValueObservation/changes(of:identifiedBy:)``.
  public struct RecordChanges<Record: Sendable>: ValueReducer {
    private let base: Fetch<_FetchedRecords<Record>>
    private var last: RecordList<Record>?

    init(_ base: Fetch<_FetchedRecords<Record>>) { self.base = base }

    /// Fetches from the database.
    public func _fetch(_ db: Database) throws -> _FetchedRecords<Record> { try base._fetch(db) }

    /// Compares the records with the last ones.
    public mutating func _value(_ fetched: _FetchedRecords<Record>) -> RecordListChanges<Record>? {
      let isFirst = last == nil
      let changes = change(to: fetched)
      return !isFirst && changes.changes.isEmpty ? nil : changes
    }

    private mutating func change(to fetched: _FetchedRecords<Record>) -> RecordListChanges<Record> {
      switch fetched.content {
      case .list(let elements, let order):
        defer { last = RecordList(elements, order) }
        return RecordListChanges(from: last?.elements ?? [], to: elements)
      case .rows(let rowIDs, let elements):
        var list = last.take() ?? RecordList([], nil)
        defer { last = list }
        return list.replace(rowIDs, with: elements)
      }
    }
  }
}

extension QueryInterfaceRequest where RowDecoder: FetchableRecord & Sendable {
  /// Fetches the rows that have changed where an observation follows them, else all records.
  fileprivate func fetchRecords(
    _ db: Database, identifiedBy columns: [String]?
  ) throws -> _FetchedRecords<RowDecoder> {
    if let changed = db.rowFollower as? ChangedRows {
      if let (list, rowIDs) = changed.take(), let list = list as? FollowedList<RowDecoder>,
        let rows = try list.fetch(db, rowIDs)
      {
        return rows
      }
      changed.forget()
      if let list = try FollowedList(self, db) { return try list.fetch(db, following: changed) }
    }
    let elements = try IdentifiedRecord<RowDecoder>.all(
      Row.fetchAll(db, asRequest(of: Row.self)),
      identifiedBy: columns ?? db.keyColumns(of: RowDecoder.self))
    return _FetchedRecords(content: .list(elements, nil))
  }
}

extension ValueObservation {
  /// Observes the changes of the records of a request: insertions, deletions, updates with both
  /// records, and moves.
  ///
  /// ```swift
  /// let request = Book.order { $0.title }.withStableOrder()
  /// let observation = ValueObservation.changes(of: request)
  /// let cancellable = observation.start(in: dbQueue) { error in
  ///   print(error)
  /// } onChange: { list in
  ///   for change in list.changes {
  ///     switch change {
  ///     case .inserted(let book, let offset): print("new at \(offset):", book.title)
  ///     case .deleted(let book, let offset): print("gone from \(offset):", book.title)
  ///     case .moved(let book, let old, let new): print(book.title, "from \(old) to \(new)")
  ///     case .updated(let old, let new, _): print(old.title, "is now", new.title)
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The first value has all records, as insertions. Lists without a difference are not reported.
  ///
  /// The records of one table, in a total order, are not all fetched again: after each transaction,
  /// the connection that writes fetches the rows that the transaction has changed.
  ///
  /// ```swift
  /// // SELECT *, "title" AS "page key 1", … FROM "book" WHERE "id" = ?
  /// Book.filter { $0.year > 1900 }.order { $0.title }.withStableOrder()
  /// ```
  ///
  /// It does so where the rows depend on nothing but themselves: columns, values, operators and
  /// pure functions, without raw SQL, subqueries, associations, groups and limits, in a table with
  /// rowids whose primary key is a part of the order, and where the texts of the order compare by
  /// their bytes. All records are fetched for other requests, for those that are `identifiedBy`
  /// columns, and after changes whose rows are not known: those by other connections, those that
  /// `Database.notifyChanges(in:)` reports, and those of the schema. In a `DatabasePool`, the lists
  /// of other requests are fetched while others write, and several transactions may share one list.
  ///
  /// A record is the same one when the columns of its primary key have equal values: an update of
  /// the key is a deletion and an insertion. Records are compared by the values of their rows, with
  /// those of associated rows that the request includes.
  ///
  /// Unlike `differences()`, the records are not compared themselves, and an update has the old
  /// record.
  ///
  /// - Parameters:
  ///   - request: The request. It selects the columns of the key. It may join other records to one.
  ///   - columns: The columns that identify a row, such as those of a view, of a common table
  ///     expression, or of a type that has no table. By default, those of the primary key of the
  ///     record type, or the rowid in a table without one.
  ///
  /// The observation ends with a `DatabaseError` when the columns are not selected, and when two
  /// rows have equal keys.
  public static func changes<Record>(
    of request: QueryInterfaceRequest<Record>, identifiedBy columns: [any ColumnExpression]? = nil
  ) -> Self
  where
    Reducer == ValueReducers.RecordChanges<Record>, Record: FetchableRecord & Sendable
  {
    let names = columns?.map(\.name)
    let observation = ValueObservation<ValueReducers.Fetch<_FetchedRecords<Record>>>
      .tracking(regionOf: request) { db in try request.fetchRecords(db, identifiedBy: names) }
      .followingRows { db in names == nil && PlacedRows(request, db) != nil ? ChangedRows() : nil }
    return observation.mapReducer { ValueReducers.RecordChanges<Record>($0) }
  }
}

public import Quarry

/// The records of a request, as they are compared with the next ones.
public struct _FetchedRecords<Record: Sendable>: Sendable {
  let elements: [IdentifiedRecord<Record>]
}

extension ValueReducers {
  /// Reports how the records of a request change. See ``ValueObservation/changes(of:identifiedBy:)``.
  public struct RecordChanges<Record: Sendable>: ValueReducer {
    private let base: Fetch<_FetchedRecords<Record>>
    private var last: [IdentifiedRecord<Record>]?

    init(_ base: Fetch<_FetchedRecords<Record>>) {
      self.base = base
    }

    /// Fetches from the database.
    public func _fetch(_ db: Database) throws -> _FetchedRecords<Record> { try base._fetch(db) }

    /// Compares the records with the last ones.
    public mutating func _value(
      _ fetched: _FetchedRecords<Record>
    ) -> RecordListChanges<Record>? {
      let changes = RecordListChanges(from: last ?? [], to: fetched.elements)
      defer { last = fetched.elements }
      return last != nil && changes.changes.isEmpty ? nil : changes
    }
  }
}

extension ValueObservation {
  /// Observes the changes of the records of a request: insertions, deletions, updates with both
  /// records, and moves.
  ///
  /// ```swift
  /// let observation = ValueObservation.changes(of: Book.order { $0.title })
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
  /// The first value has all records, as insertions. Lists without a difference are not reported. In
  /// a `DatabasePool`, records are fetched while others write, and several transactions may share
  /// one list.
  ///
  /// A record is the same one when the columns of its primary key have equal values: an update of the
  /// key is a deletion and an insertion. Records are compared by the values of their rows, with
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
  /// The observation ends with a `DatabaseError` when the columns are not selected, and when two rows
  /// have equal keys.
  public static func changes<Record>(
    of request: QueryInterfaceRequest<Record>, identifiedBy columns: [any ColumnExpression]? = nil
  ) -> Self
  where
    Reducer == ValueReducers.RecordChanges<Record>, Record: FetchableRecord & Sendable
  {
    let names = columns?.map(\.name)
    let observation = ValueObservation<ValueReducers.Fetch<_FetchedRecords<Record>>>
      .tracking(regions: [request]) { db in
        let elements = try IdentifiedRecord.all(request, identifiedBy: names, db)
        return _FetchedRecords(elements: elements)
      }
    return observation.mapReducer { ValueReducers.RecordChanges<Record>($0) }
  }
}

/// Types that a floor above has marked: it gives each mark a name, and the connection knows none.
///
/// The marks are stored in the connection, not in a store behind a slot, so that setting one is
/// inlined into the module of a record type. A call in its place would keep a copy of each record
/// alive: 260 instructions of a row of the benchmark `insert-many`.
@usableFromInline struct TypeMarks {
  @usableFromInline var first: ObjectIdentifier?
  @usableFromInline var second: ObjectIdentifier?
  @usableFromInline var third: ObjectIdentifier?
  @usableFromInline var fourth: ObjectIdentifier?
  @usableFromInline var fifth: ObjectIdentifier?
}

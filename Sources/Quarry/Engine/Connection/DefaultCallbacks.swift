/// The types of the records whose default callbacks ran last: each leaves a note.
///
/// Swift can't say whether a type has its own implementation of a requirement. A type has the
/// default one if it is the type of the note, which its own implementation can't leave. Such
/// callbacks change no record.
///
/// The notes are stored in the connection, not in a store behind a slot, so that leaving one is
/// inlined into the module of a record type. A call in its place would keep a copy of each record
/// alive: 260 instructions of a row of the benchmark `insert-many`.
@usableFromInline struct DefaultCallbacks {
  @usableFromInline var aroundSave: ObjectIdentifier?
  @usableFromInline var willInsert: ObjectIdentifier?
  @usableFromInline var aroundInsert: ObjectIdentifier?
  @usableFromInline var willUpdate: ObjectIdentifier?
  @usableFromInline var aroundUpdate: ObjectIdentifier?

  /// Whether a type is known to have no callbacks before and around insertions.
  func areOfInsertions(of type: Any.Type) -> Bool {
    willInsert == ObjectIdentifier(type) && aroundInsert == ObjectIdentifier(type)
  }

  /// Whether a type is known to have no callbacks before and around updates.
  func areOfUpdates(of type: Any.Type) -> Bool {
    willUpdate == ObjectIdentifier(type) && aroundUpdate == ObjectIdentifier(type)
  }
}

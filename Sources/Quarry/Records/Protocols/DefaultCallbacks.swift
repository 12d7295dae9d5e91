/// The types of the records whose default callbacks ran last: each leaves a note.
///
/// Swift can't say whether a type has its own implementation of a requirement. A type has the
/// default one if it is the type of the note, which its own implementation can't leave. Such
/// callbacks change no record.
extension TypeMarks {
  @inlinable var aroundSave: ObjectIdentifier? {
    get { first }
    set { first = newValue }
  }

  @inlinable var willInsert: ObjectIdentifier? {
    get { second }
    set { second = newValue }
  }

  @inlinable var aroundInsert: ObjectIdentifier? {
    get { third }
    set { third = newValue }
  }

  @inlinable var willUpdate: ObjectIdentifier? {
    get { fourth }
    set { fourth = newValue }
  }

  @inlinable var aroundUpdate: ObjectIdentifier? {
    get { fifth }
    set { fifth = newValue }
  }

  /// Whether a type is known to have no callbacks before and around insertions.
  func areOfInsertions(of type: Any.Type) -> Bool {
    willInsert == ObjectIdentifier(type) && aroundInsert == ObjectIdentifier(type)
  }

  /// Whether a type is known to have no callbacks before and around updates.
  func areOfUpdates(of type: Any.Type) -> Bool {
    willUpdate == ObjectIdentifier(type) && aroundUpdate == ObjectIdentifier(type)
  }
}

extension Database {
  /// The notes of default callbacks.
  @inlinable var defaultCallbacks: TypeMarks {
    get { typeMarks }
    _modify { yield &typeMarks }
  }
}

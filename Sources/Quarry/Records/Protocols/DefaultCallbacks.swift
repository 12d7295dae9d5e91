/// A callback whose default implementation leaves a note.
@usableFromInline enum NotedCallback {
  case aroundSave, willInsert, aroundInsert, willUpdate, aroundUpdate
}

/// The types of the records whose default callbacks ran last: each leaves a note.
///
/// Swift can't say whether a type has its own implementation of a requirement. A type has the
/// default one if it is the type of the note, which its own implementation can't leave. Such
/// callbacks change no record.
final class DefaultCallbacks: ConnectionStore {
  private var aroundSave: ObjectIdentifier?
  private var willInsert: ObjectIdentifier?
  private var aroundInsert: ObjectIdentifier?
  private var willUpdate: ObjectIdentifier?
  private var aroundUpdate: ObjectIdentifier?

  subscript(callback: NotedCallback) -> ObjectIdentifier? {
    get {
      switch callback {
      case .aroundSave: aroundSave
      case .willInsert: willInsert
      case .aroundInsert: aroundInsert
      case .willUpdate: willUpdate
      case .aroundUpdate: aroundUpdate
      }
    }
    set {
      switch callback {
      case .aroundSave: aroundSave = newValue
      case .willInsert: willInsert = newValue
      case .aroundInsert: aroundInsert = newValue
      case .willUpdate: willUpdate = newValue
      case .aroundUpdate: aroundUpdate = newValue
      }
    }
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

extension SlotKey<DefaultCallbacks> {
  static var defaultCallbacks: Self { Self(number: 2) }
}

extension Database {
  var defaultCallbacks: DefaultCallbacks { slots[.defaultCallbacks] }

  /// Leaves the note of a default callback.
  @usableFromInline func note(_ callback: NotedCallback, of type: Any.Type) {
    slots.use(.defaultCallbacks) { $0[callback] = ObjectIdentifier(type) }
  }
}

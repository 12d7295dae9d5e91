// Which callbacks of a record type do nothing.
//
// A witness of a protocol can't be compared with the default implementation. But the default implementations can tell
// that they run: while a type is observed, they note it in the plan of the type. Later insertions of many records need
// not call them, and go without what would be prepared for them.

/// The callbacks of a record type that are the default ones, as far as known.
@usableFromInline struct DefaultCallbacks: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @usableFromInline init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @usableFromInline static let willSave = DefaultCallbacks(rawValue: 1)
  @usableFromInline static let aroundSave = DefaultCallbacks(rawValue: 2)
  @usableFromInline static let didSave = DefaultCallbacks(rawValue: 4)
  @usableFromInline static let willInsert = DefaultCallbacks(rawValue: 8)
  @usableFromInline static let aroundInsert = DefaultCallbacks(rawValue: 16)
  @usableFromInline static let didInsert = DefaultCallbacks(rawValue: 32)

  static let all = DefaultCallbacks(rawValue: 63)

  /// Those that surround actions.
  static let around: DefaultCallbacks = [.aroundSave, .aroundInsert]
}

extension Database {
  /// Called by the default implementation of a callback, while some type is observed.
  @usableFromInline func noteDefault(_ callback: DefaultCallbacks, _ recordType: Any.Type) {
    guard let plan = persistenceCache.observedPlan,
      plan.recordType == ObjectIdentifier(recordType)
    else { return }
    plan.defaultCallbacks.insert(callback)
  }

  /// Observes which callbacks of the type of a plan are the default ones.
  func observingCallbacks(of plan: PersistencePlan, _ body: () throws -> Void) rethrows {
    let outer = persistenceCache.observedPlan
    persistenceCache.observedPlan = plan
    isObservingCallbacks = true
    defer {
      persistenceCache.observedPlan = outer
      isObservingCallbacks = outer != nil
    }
    try body()
  }
}

extension PersistenceContainer {
  /// Called by the default implementation of a callback that is given the container.
  @usableFromInline func noteDefault(_ callback: DefaultCallbacks) {
    observer?.defaultCallbacks.insert(callback)
  }
}

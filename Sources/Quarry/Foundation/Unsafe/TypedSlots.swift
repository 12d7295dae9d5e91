/// The slot of an object, and its type.
struct SlotKey<Object: AnyObject> {
  let number: Int
}

/// Objects in numbered slots, each of the type of its key. An object stays in its slot.
///
/// *Assumption*: no two keys have the same number, so that an object has the type of its key.
/// *Check*: debug builds compare the types; `ConnectionSlotsTests` compares the keys of the
/// library.
/// *Gain*: no conversion at run time, and no counted reference, where a connection is asked for its
/// caches: several times per insertion.
@safe final class TypedSlots<Base: AnyObject> {
  private let references: UnsafeMutableBufferPointer<Unmanaged<Base>?>

  init(count: Int) {
    unsafe references = .allocate(capacity: count)
    unsafe references.initialize(repeating: nil)
  }

  deinit {
    for index in unsafe references.indices { unsafe references[index]?.release() }
    unsafe references.deallocate()
  }

  subscript<Object: AnyObject>(key: SlotKey<Object>) -> Object? { use(key) { $0 } }

  /// Calls `body` with the object of a key, which is not counted meanwhile. Nil for an empty slot.
  @inline(__always) func use<Object: AnyObject, T>(
    _ key: SlotKey<Object>, _ body: (Object) throws -> T
  ) rethrows -> T? {
    guard let reference = unsafe references[key.number] else { return nil }
    return try unsafe reference._withUnsafeGuaranteedRef {
      try unsafe body(unsafeDowncast($0, to: Object.self))
    }
  }

  /// Fills an empty slot.
  func fill<Object: AnyObject>(_ key: SlotKey<Object>, _ object: Object) {
    precondition(unsafe references[key.number] == nil, "a slot is filled once")
    unsafe references[key.number] = .passRetained(unsafeDowncast(object, to: Base.self))
  }

  func forEach(_ body: (Base) -> Void) {
    for index in unsafe references.indices {
      if let reference = unsafe references[index] { body(unsafe reference.takeUnretainedValue()) }
    }
  }
}

/// The slot of an object, and its type.
struct SlotKey<Object: AnyObject> {
  let number: Int
}

/// Objects in numbered slots, each of the type of its key.
///
/// *Assumption*: no two keys have the same number, so that an object has the type of its key.
/// *Check*: debug builds compare the types; `ConnectionSlotsTests` compares the keys of the
/// library.
/// *Gain*: no conversion at run time whenever a connection is asked for its caches: several times
/// per insertion and request.
final class TypedSlots<Base: AnyObject> {
  @safe @exclusivity(unchecked) private var objects: [Base?]

  init(count: Int) {
    objects = Array(repeating: nil, count: count)
  }

  subscript<Object: AnyObject>(key: SlotKey<Object>) -> Object? {
    @inline(__always) get {
      objects[key.number].map { unsafe unsafeDowncast($0, to: Object.self) }
    }
    set { objects[key.number] = newValue as? Base }
  }

  func forEach(_ body: (Base) -> Void) {
    for object in objects { object.map(body) }
  }
}

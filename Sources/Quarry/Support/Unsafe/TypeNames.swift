import CSQLite

/// Names of types, which all threads read without a lock.
///
/// *Assumption*: an entry never changes and is never freed, and a place is written once: a thread that reads the address
/// of an entry after the store may use it. There are as many entries as record types in the program.
/// *Check*: `TypeNamesTests`, also under the thread sanitizer.
/// *Figure*: under a lock, a name takes 430 instructions, for each request of a record type, and threads that read
/// different connections wait for each other.
@safe final class TypeNames: @unchecked Sendable {
  private final class Entry {
    let type: ObjectIdentifier
    let name: String

    init(type: ObjectIdentifier, name: String) {
      self.type = type
      self.name = name
    }
  }

  private static let placeCountBits = 10

  /// The addresses of entries, by type, or zero. A type whose place is taken is in the dictionary only.
  private let places: UnsafeMutablePointer<UInt>
  private let names = Locked<[ObjectIdentifier: String]>([:])

  init() {
    let count = 1 << Self.placeCountBits
    unsafe places = .allocate(capacity: count)
    unsafe places.initialize(repeating: 0, count: count)
  }

  /// The name of a type, computed once. A second thread may compute it as well.
  func name(of type: Any.Type, compute: () -> String) -> String {
    let id = ObjectIdentifier(type)
    let place = unsafe places + Self.place(of: id)
    if let entry = unsafe Self.entry(at: place), entry.type == id { return entry.name }
    if let name = names.withLock({ $0[id] }) { return name }
    let entry = Entry(type: id, name: compute())
    names.withLock { names in
      names[id] = entry.name
      if unsafe quarry_atomic_load(place) == 0 {
        unsafe quarry_atomic_store(place, UInt(bitPattern: Unmanaged.passRetained(entry).toOpaque()))
      }
    }
    return entry.name
  }

  private static func entry(at place: UnsafeMutablePointer<UInt>) -> Entry? {
    let address = unsafe UnsafeRawPointer(bitPattern: quarry_atomic_load(place))
    return unsafe address.map { unsafe Unmanaged<Entry>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func place(of id: ObjectIdentifier) -> Int {
    let hash = UInt64(UInt(bitPattern: id)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> (64 - UInt64(placeCountBits)))
  }
}

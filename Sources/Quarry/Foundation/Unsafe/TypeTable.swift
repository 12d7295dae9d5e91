import CSQLite

/// Values that belong to types: made once, and found again without a lock.
///
/// *Assumption*: a word that is written after an entry shows the entry to the thread that reads it
/// (`quarry_atomic_load`). Entries don't change, and are not freed as long as the table exists: so
/// what is found can be read. *Check*: `TypeTableTests`, also under the thread sanitizer. *Figure*:
/// in a dictionary under a lock, a value takes 350 instructions. The name of a table is asked for
/// by each insertion.
@safe final class TypeTable<Value: Sendable>: @unchecked Sendable {
  private final class Entry {
    let type: ObjectIdentifier
    let value: Value

    init(_ type: ObjectIdentifier, _ value: Value) {
      self.type = type
      self.value = value
    }
  }

  /// All entries.
  private let entries = Locked<[ObjectIdentifier: Entry]>([:])
  /// The addresses of some entries. Types with the same place take it from each other.
  private let places: UnsafeMutablePointer<UInt>
  private static var placeBits: UInt { 8 }

  init() {
    let count = 1 << Int(Self.placeBits)
    unsafe places = .allocate(capacity: count)
    unsafe places.initialize(repeating: 0, count: count)
  }

  deinit { unsafe places.deallocate() }

  /// The value of a type, which `make` returns the first time.
  func value(of type: Any.Type, _ make: () -> Value) -> Value {
    let type = ObjectIdentifier(type)
    // Fibonacci hashing: the low bits of addresses are much the same.
    let hash = UInt(bitPattern: type) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    let place = unsafe places + Int(hash >> (UInt(UInt.bitWidth) - Self.placeBits))
    let address = unsafe UnsafeRawPointer(bitPattern: quarry_atomic_load(place))
    if let address = unsafe address {
      let entry = unsafe Unmanaged<Entry>.fromOpaque(address)
      let known = unsafe entry._withUnsafeGuaranteedRef { $0.type == type ? $0.value : nil }
      if let known { return known }
    }
    return unsafe value(of: type, at: place, make)
  }

  private func value(
    of type: ObjectIdentifier, at place: UnsafeMutablePointer<UInt>, _ make: () -> Value
  ) -> Value {
    entries.withLock { entries in
      let entry = entries[type] ?? Entry(type, make())
      entries[type] = entry
      let address = unsafe Unmanaged.passUnretained(entry).toOpaque()
      unsafe quarry_atomic_store(place, UInt(bitPattern: address))
      return entry.value
    }
  }
}

import CSQLite

/// One answer about a type, for the type that asked last, in a word that all threads may read and
/// write.
///
/// *Assumption*: the lowest bit of the address of type metadata is zero: it holds the answer.
/// Threads that ask about different types overwrite each other's answer, and each finds its own one
/// again.
/// *Check*: `GeneratedRecordTests`, also under the thread sanitizer.
@safe final class TypeMark: @unchecked Sendable {
  private let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)

  init() {
    unsafe word.initialize(to: 0)
  }

  deinit {
    unsafe word.deallocate()
  }

  /// The answer for a type, which `make` returns unless it is known.
  func answer(for type: Any.Type, _ make: () throws -> Bool) rethrows -> Bool {
    let bits = UInt(bitPattern: ObjectIdentifier(type))
    let known = unsafe quarry_atomic_load(word)
    if known & ~1 == bits { return known & 1 == 1 }
    let answer = try make()
    unsafe quarry_atomic_store(word, bits | (answer ? 1 : 0))
    return answer
  }
}

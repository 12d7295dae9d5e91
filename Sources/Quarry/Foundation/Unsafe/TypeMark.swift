/// One answer about a type, for the type that asked last, in a word that all threads may read and
/// write.
///
/// *Assumption*: the lowest bit of the address of type metadata is zero: it holds the answer.
/// Threads that ask about different types overwrite each other's answer, and each finds its own one
/// again.
/// *Check*: `GeneratedRecordTests`, also under the thread sanitizer.
final class TypeMark: AtomicWord, @unchecked Sendable {
  /// The answer for a type, which `make` returns unless it is known.
  func answer(for type: Any.Type, _ make: () throws -> Bool) rethrows -> Bool {
    let bits = UInt(bitPattern: ObjectIdentifier(type))
    let known = value
    if known & ~1 == bits { return known & 1 == 1 }
    let answer = try make()
    value = bits | (answer ? 1 : 0)
    return answer
  }
}

/// The identity of a thread, or none, in a word that all threads may read without a lock.
///
/// *Assumption*: the word is as large as an identity, and zero is the identity of no thread. A
/// thread that reads its own identity has written it, and runs still: the others can't be mistaken
/// for it, since identities are only kept while their thread runs an access or cleans up after one
/// (see ``ThreadIdentity``). *Check*: `ThreadWordTests`, and the tests of accesses under the thread
/// sanitizer. *Figure*: under a lock, the question takes 77 instructions more. Each execution of a
/// statement asks it, and each fetch three times.
final class ThreadWord: AtomicWord, @unchecked Sendable {
  var isEmpty: Bool { value == 0 }

  /// True if the word is the identity of the current thread.
  var isCurrent: Bool { value == ThreadIdentity.current.bits }

  func setCurrent() { value = ThreadIdentity.current.bits }

  func clear() { value = 0 }
}

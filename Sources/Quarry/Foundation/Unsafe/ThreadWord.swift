import CSQLite

/// The identity of a thread, or none, in a word that all threads may read without a lock.
///
/// *Assumption*: the word is as large as an identity, and zero is the identity of no thread. A
/// thread that reads its own identity has written it, and runs still: the others can't be mistaken
/// for it, since identities are only kept while their thread runs an access or cleans up after one
/// (see ``ThreadIdentity``). *Check*: `ThreadWordTests`, and the tests of accesses under the thread
/// sanitizer. *Figure*: under a lock, the question takes 77 instructions more. Each execution of a
/// statement asks it, and each fetch three times.
@safe final class ThreadWord: @unchecked Sendable {
  private let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)

  init() {
    unsafe word.initialize(to: 0)
  }

  deinit {
    unsafe word.deallocate()
  }

  var isEmpty: Bool { unsafe quarry_atomic_load(word) == 0 }

  /// True if the word is the identity of the current thread.
  var isCurrent: Bool { unsafe quarry_atomic_load(word) == ThreadIdentity.current.bits }

  func setCurrent() {
    unsafe quarry_atomic_store(word, ThreadIdentity.current.bits)
  }

  func clear() {
    unsafe quarry_atomic_store(word, 0)
  }
}

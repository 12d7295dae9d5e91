import CSQLite

/// A word that all threads may read and set without a lock. One thread at a time raises it.
///
/// *Assumption*: a connection is used by one thread at a time, which alone raises its counters.
/// *Check*: the tests of observers, also under the thread sanitizer.
/// *Figure*: a lock takes about 20 ns, for each statement that commits.
@safe class AtomicWord: @unchecked Sendable {
  private let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)

  init() { unsafe word.initialize(to: 0) }

  deinit { unsafe word.deallocate() }

  final var value: UInt {
    get { unsafe quarry_atomic_load(word) }
    set { unsafe quarry_atomic_store(word, newValue) }
  }

  final func raise() { value &+= 1 }
}

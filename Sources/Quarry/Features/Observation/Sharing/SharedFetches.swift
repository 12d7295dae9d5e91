/// The identity of a fetch: two observations with the same key fetch the same values.
final class FetchKey: Hashable, @unchecked Sendable {
  private let request: TreeKey
  private let type: ObjectIdentifier

  init(_ relation: Relation, as type: Any.Type) {
    request = TreeKey(relation)
    self.type = ObjectIdentifier(type)
  }

  static func == (lhs: FetchKey, rhs: FetchKey) -> Bool {
    lhs.type == rhs.type && lhs.request == rhs.request
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(request.structure.hash)
  }
}

/// A value, and when it was read.
struct SharedFetch: Sendable {
  /// The first fetch of an observation: its value and its region.
  let value: any Sendable
  /// The number of commits before the read.
  let commitCount: UInt
  /// Stamps from before the read had its snapshot, and from after. They order the states of reads
  /// that don't overlap.
  let begin: Int
  let end: Int
}

/// The values that observations of equal requests have fetched, and those that they are fetching.
///
/// A value is used again as long as nothing has been committed. One that is being fetched is waited
/// for. Two conditions keep the guarantees of observations:
///
/// - The number of commits was the same before the read: nothing is missed.
/// - The read began after the last one of the observation had its snapshot: values don't go back.
///   For its first one, the read began after its start: the commits of other connections are not
///   counted. A read that waits for a reader begins when it has got one.
final class SharedFetches: ConnectionStore, @unchecked Sendable {
  typealias Receive = @Sendable (Result<SharedFetch, any Error>) -> Void

  private struct UnderWay {
    let commitCount: UInt
    let begin: Int
    /// The number of its request for a reader, once it is known.
    var number: Int?
    var waiting: [Receive]
  }

  private struct Entry {
    var userCount = 0
    var known: SharedFetch?
    var underWay: [UnderWay] = []

    var isUnused: Bool { userCount == 0 && underWay.isEmpty }

    func known(at commitCount: UInt, after stamp: Int) -> SharedFetch? {
      guard let known, known.commitCount == commitCount, known.begin > stamp else { return nil }
      return known
    }
  }

  private struct State {
    var entries: [FetchKey: Entry] = [:]
    var stamp = 0

    mutating func nextStamp() -> Int {
      stamp += 1
      return stamp
    }
  }

  private let state = Locked(State())

  /// Called when an observation starts.
  func retain(_ key: FetchKey) {
    state.withLock { $0.entries[key, default: Entry()].userCount += 1 }
  }

  /// Called when an observation ends. Nothing is kept for nobody.
  func release(_ key: FetchKey) {
    let last = state.withLock { state -> Entry? in
      state.entries[key]?.userCount -= 1
      guard state.entries[key]?.userCount == 0 else { return nil }
      defer {
        state.entries[key]?.known = nil
        if state.entries[key]?.isUnused == true { state.entries[key] = nil }
      }
      return state.entries[key]
    }
    // Released without the lock.
    withExtendedLifetime(last) {}
  }

  /// The value that was fetched after so many commits, in a read that began after a stamp.
  func known(_ key: FetchKey, at commitCount: UInt, after stamp: Int) -> SharedFetch? {
    state.withLock { $0.entries[key]?.known(at: commitCount, after: stamp) }
  }

  /// A stamp, for a fetch that begins or has begun.
  func stamp() -> Int { state.withLock { $0.nextStamp() } }

  /// Keeps a value for those who ask.
  func store(_ fetch: SharedFetch, for key: FetchKey) {
    let former = state.withLock { state -> SharedFetch? in
      defer { state.entries[key]?.known = fetch }
      return state.entries[key]?.known
    }
    // Released without the lock: it may be the last reference to records that end observations.
    withExtendedLifetime(former) {}
  }

  /// Passes on a value that was fetched after so many commits, in a read that began after a stamp.
  ///
  /// - parameter isWaiting: Whether it is certain that a read is still to begin, by the number of
  ///   its request.
  /// - parameter fetch: Called to begin such a read, when there is none. It gets the stamp of its
  ///   beginning, and returns the number of its request.
  func request(
    _ key: FetchKey, at commitCount: UInt, after stamp: Int, isWaiting: (_ number: Int) -> Bool,
    _ receive: @escaping Receive, fetch: (_ begin: Int) -> Int
  ) {
    let (known, begin) = state.withLock { state -> (SharedFetch?, begin: Int?) in
      let begin = state.nextStamp()
      var entry = state.entries[key] ?? Entry()
      defer { state.entries[key] = entry }
      if let known = entry.known(at: commitCount, after: stamp) { return (known, nil) }
      let index = entry.underWay.firstIndex { fetch in
        fetch.commitCount == commitCount
          && (fetch.begin > stamp || fetch.number.map(isWaiting) == true)
      }
      if let index {
        entry.underWay[index].waiting.append(receive)
        return (nil, nil)
      }
      entry.underWay.append(
        UnderWay(commitCount: commitCount, begin: begin, waiting: [receive]))
      return (nil, begin)
    }
    if let known { receive(.success(known)) }
    guard let begin else { return }
    let number = fetch(begin)
    // The fetch may have ended.
    state.withLock { state in
      let index = state.entries[key]?.underWay.firstIndex { $0.begin == begin }
      if let index { state.entries[key]?.underWay[index].number = number }
    }
  }

  /// Passes the result of a read on to those who wait for it.
  func end(_ key: FetchKey, begin: Int, _ result: Result<SharedFetch, any Error>) {
    let (waiting, former) = state.withLock { state -> ([Receive], SharedFetch?) in
      let former = state.entries[key]?.known
      guard let index = state.entries[key]?.underWay.firstIndex(where: { $0.begin == begin })
      else { return ([], former) }
      if case .success(let fetch) = result, state.entries[key]?.userCount != 0 {
        state.entries[key]?.known = fetch
      }
      let waiting = state.entries[key]?.underWay.remove(at: index).waiting ?? []
      if state.entries[key]?.isUnused == true { state.entries[key] = nil }
      return (waiting, former)
    }
    // Released without the lock.
    withExtendedLifetime(former) {}
    for receive in waiting { receive(result) }
  }
}

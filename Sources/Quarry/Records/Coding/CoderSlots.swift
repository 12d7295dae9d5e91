/// The coders that an object keeps for the next record: the first one, which is the only one of
/// most objects, and others.
///
/// The first one is used without being counted: the object owns it, and removes it between two
/// records only.
struct CoderSlots<Coder: AnyObject>: ~Copyable {
  private var first: Coder?
  private var unownedFirst: Unretained<Coder>?
  private var others: [Coder] = []

  /// The coder that satisfies a condition, if there is one, as long as it is among these.
  @inline(__always) func first(where matches: (Coder) -> Bool) -> Unretained<Coder>? {
    if let unownedFirst, unownedFirst.use(matches) { return unownedFirst }
    return others.isEmpty ? nil : other(where: matches)
  }

  @inline(never) private func other(where matches: (Coder) -> Bool) -> Unretained<Coder>? {
    others.first(where: matches).map { Unretained($0) }
  }

  mutating func add(_ coder: Coder) {
    if first == nil { setFirst(coder) } else { others.append(coder) }
  }

  private mutating func setFirst(_ coder: Coder?) {
    first = coder
    unownedFirst = coder.map(Unretained.init)
  }

  @inline(__always) mutating func removeAll(where isRemoved: (Coder) -> Bool) {
    if let unownedFirst, unownedFirst.use(isRemoved) { setFirst(nil) }
    if !others.isEmpty { others.removeAll(where: isRemoved) }
  }

  /// Removes the coders that have another owner, and calls `end` with each. Calls `keep` with the
  /// others.
  @inline(__always) mutating func removeShared(end: (Coder) -> Void, keep: (Coder) -> Void) {
    if isKnownUniquelyReferenced(&first) {
      unownedFirst?.use(keep)
    } else if let shared = first {
      setFirst(nil)
      end(shared)
    }
    if !others.isEmpty { removeSharedOthers(end, keep) }
  }

  @inline(never)
  private mutating func removeSharedOthers(_ end: (Coder) -> Void, _ keep: (Coder) -> Void) {
    for index in others.indices.reversed() {
      if isKnownUniquelyReferenced(&others[index]) {
        keep(others[index])
      } else {
        end(others.remove(at: index))
      }
    }
  }

  /// The coder that satisfies a condition. One that has another owner is removed instead.
  mutating func unshared(where matches: (Coder) -> Bool) -> Coder? {
    if let unownedFirst, unownedFirst.use(matches) {
      if isKnownUniquelyReferenced(&first) { return first }
      setFirst(nil)
    } else if let index = others.firstIndex(where: matches) {
      if isKnownUniquelyReferenced(&others[index]) { return others[index] }
      others.remove(at: index)
    }
    return nil
  }
}

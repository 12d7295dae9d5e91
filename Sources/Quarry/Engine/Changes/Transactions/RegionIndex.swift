/// The observers of regions, by the tables of their regions.
struct RegionIndex {
  private var byTable: [BinaryText: ObserverList] = [:]
  private var ofFullDatabase = ObserverList()
  /// Those whose request reads no table: it may fail once another table has its name.
  private var ofNothing = ObserverList()
  private(set) var count = 0
  /// Changes when observers come and go: a statement that nobody follows need not look again.
  private(set) var version = 0

  var isEmpty: Bool { count == 0 }

  mutating func add(_ observer: RegionObserver) {
    count += 1
    version += 1
    guard let tables = observer.region.tables else { return ofFullDatabase.insert(observer) }
    if tables.isEmpty { ofNothing.insert(observer) }
    for key in tables.keys { byTable[key, default: ObserverList()].insert(observer) }
  }

  mutating func remove(_ observer: RegionObserver) {
    count -= 1
    version += 1
    guard let tables = observer.region.tables else { return ofFullDatabase.remove(observer) }
    if tables.isEmpty { ofNothing.remove(observer) }
    for key in tables.keys {
      byTable[key]?.remove(observer)
      if byTable[key]?.observers.isEmpty == true { byTable[key] = nil }
    }
  }

  /// All observers, in the order of their registration.
  var all: [RegionObserver] {
    var seen: Set<ObjectIdentifier> = []
    return (ofFullDatabase.observers + ofNothing.observers + byTable.values.flatMap(\.observers))
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
      .sorted { $0.number < $1.number }
  }

  /// Those whose region has one of some tables.
  func observers(ofTables keys: Set<BinaryText>) -> [RegionObserver] {
    var observers = ofFullDatabase.observers
    var seen: Set<ObjectIdentifier> = []
    for key in keys {
      for observer in byTable[key]?.observers ?? []
      where keys.count == 1 || seen.insert(ObjectIdentifier(observer)).inserted {
        observers.append(observer)
      }
    }
    return observers
  }
}

/// Observers in the order of their registration, so that one of many is found by its number.
private struct ObserverList {
  private(set) var observers: [RegionObserver] = []

  mutating func insert(_ observer: RegionObserver) {
    observers.insert(observer, at: index(of: observer.number))
  }

  mutating func remove(_ observer: RegionObserver) {
    let index = index(of: observer.number)
    guard index < observers.count, observers[index] === observer else { return }
    observers.remove(at: index)
  }

  /// The index of the first observer whose number is not smaller.
  private func index(of number: Int) -> Int {
    if let last = observers.last, last.number < number { return observers.count }
    var (low, high) = (0, observers.count)
    while low < high {
      let middle = (low + high) / 2
      if observers[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

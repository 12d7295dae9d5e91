/// The observers of regions, by the tables of their regions.
struct RegionIndex {
  private var byTable: [String: [RegionObserver]] = [:]
  private var ofFullDatabase: [RegionObserver] = []
  private(set) var count = 0
  /// Changes when observers come and go: a statement that nobody follows need not look again.
  private(set) var version = 0

  var isEmpty: Bool { count == 0 }

  mutating func add(_ observer: RegionObserver) {
    count += 1
    version += 1
    guard let tables = observer.region.tables else { return ofFullDatabase.append(observer) }
    for key in tables.keys { byTable[key, default: []].append(observer) }
  }

  mutating func remove(_ observer: RegionObserver) {
    count -= 1
    version += 1
    guard let tables = observer.region.tables else {
      return ofFullDatabase.removeAll { $0 === observer }
    }
    for key in tables.keys {
      byTable[key]?.removeAll { $0 === observer }
      if byTable[key]?.isEmpty == true { byTable[key] = nil }
    }
  }

  /// All observers, in the order of their registration.
  var all: [RegionObserver] {
    var seen: Set<ObjectIdentifier> = []
    return (ofFullDatabase + byTable.values.joined())
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
      .sorted { $0.number < $1.number }
  }

  /// Those whose region has one of some tables, in the order of their registration.
  func observers(ofTables keys: Set<String>) -> [RegionObserver] {
    var observers = ofFullDatabase
    var seen: Set<ObjectIdentifier> = []
    for key in keys {
      for observer in byTable[key] ?? []
      where keys.count == 1 || seen.insert(ObjectIdentifier(observer)).inserted {
        observers.append(observer)
      }
    }
    return observers
  }
}

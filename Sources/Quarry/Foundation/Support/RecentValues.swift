/// Values by key, of which the ones used last are kept.
///
/// The key of the last use is compared first: a loop that uses one value pays no look-up. A value
/// that finds no room has the least recently used quarter evicted, so that eviction is rare.
/// Forgotten values are returned, so that they are released when these values may be used again:
/// the end of a statement may call a virtual table, which executes others.
struct RecentValues<Key: Hashable, Value> {
  /// The place of a value: an owner that keeps it uses the value again without a look-up.
  final class Place {
    fileprivate let key: Key
    /// Nil once the value is forgotten.
    var value: Value?
    fileprivate var lastUse: UInt64

    fileprivate init(_ key: Key, _ value: Value, lastUse: UInt64) {
      self.key = key
      self.value = value
      self.lastUse = lastUse
    }
  }

  private let capacity: Int
  private var places: [Key: Place] = [:]
  private var last: Place?
  private var clock: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { places.count }

  /// The value of a key, which is thereby used.
  @inline(__always) mutating func value(_ key: Key) -> Value? {
    // Not by `place`: a place that is returned is counted.
    if let last, last.key == key {
      clock &+= 1
      last.lastUse = clock
      return last.value
    }
    guard let place = places[key] else { return nil }
    use(place)
    return place.value
  }

  /// The place of a key, if its value is kept.
  @inline(__always) func place(_ key: Key) -> Place? {
    if let last, last.key == key { return last }
    return places[key]
  }

  /// Notes the use of a value that is not looked up.
  @inline(__always) mutating func use(_ place: Place) {
    clock &+= 1
    place.lastUse = clock
    if last !== place, place.value != nil { last = place }
  }

  /// Keeps a value, in place of another one with the same key. Returns the values that are
  /// forgotten for it.
  @discardableResult mutating func insert(_ value: Value, _ key: Key) -> [Value] {
    var forgotten = remove(key).map { [$0] } ?? []
    if places.count >= capacity { forgotten += forgetQuarter() }
    let place = Place(key, value, lastUse: 0)
    places[key] = place
    use(place)
    return forgotten
  }

  /// The value of a key, made if it is not kept, by a function that doesn't use these values.
  mutating func value(_ key: Key, orInsert make: () throws -> Value) rethrows -> Value {
    if let value = value(key) { return value }
    let value = try make()
    insert(value, key)
    return value
  }

  @discardableResult mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    if last === place { last = nil }
    return place.value.take()
  }

  /// Forgets the values that satisfy a condition, and returns them.
  @discardableResult mutating func removeAll(where isForgotten: (Value) -> Bool) -> [Value] {
    places.values.filter { $0.value.map(isForgotten) == true }.compactMap { remove($0.key) }
  }

  @discardableResult mutating func removeAll() -> [Value] {
    let forgotten = places.values.compactMap { $0.value.take() }
    places = [:]
    last = nil
    return forgotten
  }

  private mutating func forgetQuarter() -> [Value] {
    let oldest = places.values.sorted { $0.lastUse < $1.lastUse }
    return oldest.prefix(max(1, capacity / 4)).compactMap { remove($0.key) }
  }
}

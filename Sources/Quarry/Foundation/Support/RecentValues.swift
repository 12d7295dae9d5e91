/// Values by key, of which the ones used last are kept.
///
/// The key of the last use is compared first: a loop that uses one value pays no look-up. A value
/// that finds no room has the least recently used quarter evicted, so that eviction is rare.
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

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { places.count }

  /// The value of a key, which is thereby used.
  @inline(__always) mutating func value(_ key: Key) -> Value? {
    guard let place = place(key) else { return nil }
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

  /// Keeps a value, in place of another one with the same key.
  mutating func insert(_ value: Value, _ key: Key) {
    remove(key)
    if places.count >= capacity { forgetQuarter() }
    let place = Place(key, value, lastUse: 0)
    places[key] = place
    use(place)
  }

  /// The value of a key, made if it is not kept, by a function that doesn't use these values.
  mutating func value(_ key: Key, orInsert make: () throws -> Value) rethrows -> Value {
    if let value = value(key) { return value }
    let value = try make()
    insert(value, key)
    return value
  }

  mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    place.value = nil
    if last === place { last = nil }
  }

  /// Forgets the values that satisfy a condition.
  mutating func removeAll(where isForgotten: (Value) -> Bool) {
    for place in places.values {
      if let value = place.value, isForgotten(value) { remove(place.key) }
    }
  }

  mutating func removeAll() {
    for place in places.values { place.value = nil }
    places = [:]
    last = nil
  }

  private mutating func forgetQuarter() {
    let oldest = places.values.sorted { $0.lastUse < $1.lastUse }
    for place in oldest.prefix(max(1, capacity / 4)) { remove(place.key) }
  }
}

import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Values that were used last")
struct RecentValuesTests {
  /// The same with a list, the value that was used last at its end.
  private struct NaiveValues {
    let capacity: Int
    var pairs: [(key: Int, value: Int)] = []

    mutating func value(_ key: Int) -> Int? {
      guard let index = pairs.firstIndex(where: { $0.key == key }) else { return nil }
      pairs.append(pairs.remove(at: index))
      return pairs.last?.value
    }

    mutating func insert(_ value: Int, _ key: Int) {
      pairs.removeAll { $0.key == key }
      if pairs.count >= capacity { pairs.removeFirst(max(1, capacity / 4)) }
      pairs.append((key, value))
    }
  }

  @Test(arguments: [1, 2, 5, 16])
  func `they are those of a list that is sorted by use`(capacity: Int) {
    let run = RandomRun("values that were used last")
    run.repeated(seconds: 0.5, atMost: 200) { random in
      var values = RecentValues<Int, Int>(capacity: capacity)
      var expected = NaiveValues(capacity: capacity)
      var places: [RecentValues<Int, Int>.Place] = []
      for step in 0..<200 {
        let key = Int.random(in: 0..<2 * capacity + 2, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8:
          #expect(values.value(key) == expected.value(key))
        case 8..<13:
          values.insert(step, key)
          expected.insert(step, key)
          if let place = values.place(key) { places.append(place) }
        case 13..<15:
          let value = values.value(key) { step }
          #expect(value == expected.value(key) ?? step)
          if value == step { expected.insert(step, key) }
        case 15..<17:
          // A place that was kept aside: forgotten, or used.
          guard let place = places.randomElement(using: &random) else { break }
          values.use(place)
          let key = expected.pairs.first { $0.value == place.value }?.key
          #expect((key == nil) == (place.value == nil))
          if let key { _ = expected.value(key) }
        case 17:
          values.remove(key)
          expected.pairs.removeAll { $0.key == key }
        case 18:
          values.removeAll { $0 % 3 == 0 }
          expected.pairs.removeAll { $0.value % 3 == 0 }
        default:
          guard step % 7 == 0 else { break }
          values.removeAll()
          expected.pairs = []
          #expect(places.allSatisfy { $0.value == nil })
        }
        #expect(values.count == expected.pairs.count)
      }
      for (key, value) in expected.pairs { #expect(values.place(key)?.value == value) }
    }
  }

  @Test func `a value that can't be made is not kept`() {
    struct Failure: Error {}
    var values = RecentValues<String, Int>(capacity: 4)
    #expect(throws: Failure.self) { try values.value("a") { throw Failure() } }
    #expect(values.count == 0)
    #expect(values.value("a") { 1 } == 1)
    #expect(values.value("a") { 2 } == 1)
  }

  @Test func `a value is released when it is forgotten`() {
    final class Object {}
    var values = RecentValues<Int, Object>(capacity: 4)
    weak var first: Object?
    do {
      let object = Object()
      first = object
      values.insert(object, 0)
    }
    let place = values.place(0)
    #expect(first != nil)
    for key in 1...4 { values.insert(Object(), key) }
    #expect(first == nil)
    #expect(place?.value == nil)
  }

  @Test func `a value that is released may use the others`() {
    final class Owner {
      var values = RecentValues<Int, Object>(capacity: 4)
      var counts: [Int] = []
    }
    final class Object {
      unowned let owner: Owner
      init(_ owner: Owner) { self.owner = owner }
      deinit { owner.counts.append(owner.values.count) }
    }
    let owner = Owner()
    for key in 0...4 { owner.values.insert(Object(owner), key) }
    #expect(owner.counts == [4])
    owner.values.insert(Object(owner), 4)
    owner.values.remove(4)
    owner.values.removeAll { _ in true }
    #expect(owner.counts == [4, 4, 3, 0, 0, 0])
    owner.values.insert(Object(owner), 0)
    owner.values.removeAll()
    #expect(owner.counts == [4, 4, 3, 0, 0, 0, 0])
  }
}

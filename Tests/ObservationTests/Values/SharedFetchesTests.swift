import QuarryTestSupport
import Testing

@testable import Quarry

@Suite struct SharedFetchesTests {
  @Test func `a former value is released outside of the lock`() {
    let fetches = SharedFetches()
    let key = FetchKey(Table("author").all().relation, as: Released.self)
    let log = Log<Int>()
    func fetch(_ number: Int) -> SharedFetch {
      let value = Released {
        _ = fetches.stamp()
        log.append(number)
      }
      return SharedFetch(value: value, commitCount: 0, begin: number, end: number)
    }
    fetches.retain(key)
    fetches.store(fetch(1), for: key)
    fetches.store(fetch(2), for: key)
    #expect(log.elements == [1])
    fetches.request(
      key, at: 1, after: 0, isWaiting: { _ in false }, { _ in },
      fetch: { begin in
        fetches.end(key, begin: begin, .success(fetch(3)))
        return 0
      })
    #expect(log.elements == [1, 2])
    fetches.release(key)
    #expect(log.elements == [1, 2, 3])
  }
}

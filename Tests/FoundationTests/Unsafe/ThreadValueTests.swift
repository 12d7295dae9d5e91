import Foundation
import Testing

@testable import Quarry

struct ThreadValueTests {
  @Test func `a thread has the first value until it sets one, for the time of a call`() {
    let number = ThreadValue(7)
    #expect(number.value == 7)
    number.with(1) {
      #expect(number.value == 1)
      number.with(2) { #expect(number.value == 2) }
      #expect(number.value == 1)
    }
    #expect(number.value == 7)
  }

  @Test func `the value of before returns after an error`() {
    struct Failure: Error {}
    let number = ThreadValue<Int?>(nil)
    #expect(throws: Failure.self) { try number.with(1) { throw Failure() } }
    #expect(number.value == nil)
  }

  @Test func `threads don't see the values of others`() {
    let number = ThreadValue(0)
    let seen = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 100) { iteration in
      number.with(iteration + 1) {
        let value = number.value
        seen.withLock { $0.append(value) }
      }
    }
    #expect(seen.withLock { $0.sorted() } == Array(1...100))
  }

  @Test func `values with references are refused`() async {
    await #expect(processExitsWith: .failure) { _ = ThreadValue<[Int]>([]) }
  }
}

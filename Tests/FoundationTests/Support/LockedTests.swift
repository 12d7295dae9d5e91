import Foundation
import Testing

@testable import Quarry

@Suite("Locked")
struct LockedTests {
  @Test
  func `threads change a locked value one at a time`() {
    let count = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 1_000) { _ in
      count.withLock { $0 += 1 }
    }
    #expect(count.withLock { $0 } == 1_000)
  }
}

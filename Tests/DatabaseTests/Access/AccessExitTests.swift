import Quarry
import QuarryTestSupport
import Testing

@Suite("Misuse of accesses that stops the program")
struct AccessExitTests {
  @Test("A reentrant access whose closure can't throw")
  func reentrancy() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let queue = try DatabaseQueue()
      queue.inDatabase { _ in queue.inDatabase { _ in } }
    }
    expectPrecondition("Database methods are not reentrant.", in: result)
  }

  @Test("A concurrent read outside of an access")
  func spawnConcurrentRead() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try DatabaseQueue().spawnConcurrentRead { _ in }
    }
    expectPrecondition("Database was not used on the correct thread.", in: result)
  }
}

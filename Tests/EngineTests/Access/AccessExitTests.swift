import Quarry
import QuarryTestSupport
import Testing

@Suite("Misuse of accesses that stops the program")
struct AccessExitTests {
  @Test func `a reentrant access whose closure can't throw`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let queue = try DatabaseQueue()
      queue.inDatabase { _ in queue.inDatabase { _ in } }
    }
    expectPrecondition("Database methods are not reentrant.", in: result)
  }

  @Test func `a concurrent read outside of an access`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try DatabaseQueue().spawnConcurrentRead { _ in }
    }
    expectPrecondition("Database was not used on the correct thread.", in: result)
  }
}

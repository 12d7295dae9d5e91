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

  @Test("A concurrent read inside a transaction")
  func spawnConcurrentRead() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let queue = try DatabaseQueue()
      try queue.write { _ in queue.spawnConcurrentRead { _ in } }
    }
    expectPrecondition("must not be called from inside a transaction.", in: result)
  }
}

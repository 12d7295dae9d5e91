import Quarry
import Testing

@Suite("Misuse of accesses that stops the program")
struct AccessExitTests {
  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("A reentrant access whose closure can't throw")
  func reentrancy() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let queue = try DatabaseQueue()
      queue.inDatabase { _ in queue.inDatabase { _ in } }
    }
    #expect(text(result).contains("Database methods are not reentrant."))
  }

  @Test("A concurrent read inside a transaction")
  func spawnConcurrentRead() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let queue = try DatabaseQueue()
      try queue.write { _ in queue.spawnConcurrentRead { _ in } }
    }
    #expect(text(result).contains("must not be called from inside a transaction."))
  }
}

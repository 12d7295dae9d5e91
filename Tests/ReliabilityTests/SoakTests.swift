import FaultCampaign
import QuarryTestSupport
import Testing

/// A process uses a pool for some seconds, `QUARRY_SOAK_SECONDS` for longer: see ``Soak``. Memory
/// belongs to the whole process, so that it is one of its own.
@Suite("Soak", .serialized, .onJudgedSQLite)
struct SoakTests {
  @Test(.timeLimit(.minutes(70)))
  func `readers, a writer, observers, another process and faults get along`() async throws {
    let seed = RandomRun("Soak").seed
    let seconds = environmentNumber("QUARRY_SOAK_SECONDS") ?? 2
    let (output, isRight) = try await onOwnThread {
      try Program("FaultTarget").run(["soak", "--seconds", "\(seconds)", "--seed", "\(seed)"])
    }
    print("Soak: \(output)")
    #expect(isRight, "\(output)")
  }
}

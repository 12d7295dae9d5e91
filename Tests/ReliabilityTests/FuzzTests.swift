import FaultCampaign
import QuarryTestSupport
import Testing

/// Inputs that are nearly right, of each kind that the library takes from others: none crashes or
/// hangs, and what is accepted is what an independent reading gives. See Tests/FuzzTarget.
///
/// `QUARRY_FUZZ_INPUTS` is how many each kind tries; `Scripts/fuzz` makes a million of them, guided
/// by the branches that they reach.
@Suite("Random inputs", .serialized, .needs(.fullText))
struct FuzzTests {
  @Test(arguments: [
    "sql", "arguments", "files", "patterns", "schemas", "json", "dates", "decimals", "csv", "dumps",
  ])
  func `inputs have a right answer or an error`(name: String) async throws {
    let seed = RandomRun("Random inputs, \(name)").seed
    let count = environmentNumber("QUARRY_FUZZ_INPUTS") ?? 100
    let (output, isRight) = try await onOwnThread {
      try Program("FuzzTarget").run([name, "--count", "\(count)", "--seed", "\(seed)"])
    }
    #expect(isRight, "\(output)")
    #expect(output.hasSuffix("\(name): \(count) inputs"), "\(output)")
  }
}

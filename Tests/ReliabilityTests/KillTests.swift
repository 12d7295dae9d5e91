import FaultCampaign
import QuarryTestSupport
import Testing

/// Processes that use a database are killed at random moments. What they have reported as done is
/// there, as a whole, and another process goes on.
///
/// `QUARRY_KILL_ROUNDS` is how many are killed (`.ci/run` sets 60).
@Suite("Killed processes", .serialized)
struct KillTests {
  @Test(.timeLimit(.minutes(20)), arguments: KillUse.allCases)
  func `what was committed survives`(use: KillUse) async throws {
    let seeds = RandomRun("Killed processes, \(use)")
    let count = max(2, (environmentNumber("QUARRY_KILL_ROUNDS") ?? 12) / KillUse.allCases.count)
    let campaign = try await onOwnThread {
      var generator = seeds.generator
      var campaign = try KillCampaign(Program("KillTarget"))
      try campaign.run(use, killCount: count, &generator)
      return campaign
    }
    print("Killed processes, \(use): \(campaign.summary)")
    #expect(campaign.problems == [])
    #expect(campaign.killCount >= count)
  }
}

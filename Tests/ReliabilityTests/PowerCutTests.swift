import FaultCampaign
import Foundation
import QuarryTestSupport
import Testing

/// Transactions are written, and the power is cut at a random moment: writes since the last sync
/// are lost, reordered and torn. The file is opened again.
///
/// `QUARRY_POWER_CUTS` is the number of cuts in all.
@Suite("Power cuts")
struct PowerCutTests {
  @Test(arguments: Durability.allCases)
  func `a power cut leaves whole transactions, and the acknowledged ones`(
    durability: Durability
  ) async throws {
    let seeds = RandomRun("Power cuts, \(durability)")
    let count = (environmentNumber("QUARRY_POWER_CUTS") ?? 160) / Durability.allCases.count
    let cuts = try await onOwnThread {
      var generator = seeds.generator
      var cuts = PowerCuts()
      while cuts.cutCount < count { try cuts.run(durability, cutCount: 20, &generator) }
      return cuts
    }
    print("Power cuts, \(durability): \(cuts.summary)")
    #expect(cuts.problems == [])
  }
}

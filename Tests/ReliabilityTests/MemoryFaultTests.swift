import FaultCampaign
import Foundation
import QuarryTestSupport
import Testing

/// Each allocation of SQLite fails once, in the same uses of the library as in ``IOFaultTests``,
/// with the same promises. The allocator belongs to the whole process, so that it is one of its
/// own.
///
/// A run tries five allocations of each use at random. `QUARRY_FAULTS` is the number, or `all`.
@Suite("Failed allocations", .serialized, .onJudgedSQLite)
struct MemoryFaultTests {
  @Test(arguments: Connection.allCases)
  func `any allocation of SQLite may fail`(connection: Connection) async throws {
    let seed = RandomRun("Failed allocations on a \(connection)").seed
    var arguments = ["memory", "--connection", connection.rawValue, "--seed", "\(seed)"]
    if let limit = faultLimit(5) { arguments += ["--count", "\(limit)"] }
    let (output, isRight) = try await onOwnThread { [arguments] in
      try Program("FaultTarget").run(arguments)
    }
    print("Failed allocations on a \(connection): \(output.split(separator: "\n").last ?? "")")
    #expect(isRight, "\(output)")
  }
}

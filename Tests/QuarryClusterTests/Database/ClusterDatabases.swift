import Foundation
import Quarry
import QuarryCluster
import QuarryTestSupport

/// Databases on the nodes whose addresses `QUARRY_NODES` has, for the tests of other targets.
final class ClusterDatabases: ClusterDatabaseMaker {
  static func makeDatabase(configuration: Configuration) throws -> any DatabaseWriter {
    let nodes = ProcessInfo.processInfo.environment["QUARRY_NODES"] ?? ""
    // No test of another target has a second client, and a look may notify without a change.
    var options = ClusterOptions()
    options.pollInterval = nil
    return try DatabaseCluster(
      nodes: nodes.split(separator: ",").map(String.init), name: "test-\(UUID().uuidString)",
      configuration: configuration, options: options)
  }
}

import Foundation

/// A number of the environment, which has a test look longer.
func environmentNumber(_ name: String) -> Int? {
  ProcessInfo.processInfo.environment[name].flatMap(Int.init)
}

/// How many faults of each use are tried, nil for all of them.
func faultLimit(_ standard: Int) -> Int? {
  ProcessInfo.processInfo.environment["QUARRY_FAULTS"] == "all"
    ? nil : environmentNumber("QUARRY_FAULTS") ?? standard
}

import Foundation

// How the cost of a row grows with the number of rows: see Benchmarks/Studies/README.md.
//
//     swift run -c release Growth [--associations]

@main
struct Growth {
  static func main() throws {
    if CommandLine.arguments.contains("--associations") { return try AssociationGrowth.print() }
    let points = try GrowthTable.measure()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let target = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("results-growth.json")
    try encoder.encode(points).write(to: target)
    print("The same in JSON, for Benchmarks/Studies/plot: \(target.path)")
  }
}

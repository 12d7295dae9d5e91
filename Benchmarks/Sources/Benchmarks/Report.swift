import ByHand
import Foundation

/// The JSON file.
struct Report<Result: LineResult>: Encodable {
  var sqlite = sqliteVersion
  var system = ProcessInfo.processInfo.operatingSystemVersionString
  var processors = ProcessInfo.processInfo.activeProcessorCount
  var units = "seconds of one pass"
  let results: [Result]

  init(results: [Result]) {
    self.results = results
  }

  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: url)
  }
}

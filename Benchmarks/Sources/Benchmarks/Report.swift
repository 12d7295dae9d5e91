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
    let json = try encoder.encode(self)
    guard (try? json.write(to: url)) != nil else { throw Failure("can't write \(url.path)") }
  }
}

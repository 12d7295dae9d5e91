import ByHand
import Foundation
import Harness
import WithGRDB
import WithQuarry

// The cost of accesses to a pool, beside GRDB and beside the C API with the same number of
// connections.
//
//     swift run -c release Accesses [--rounds N] [--filter WORD]

@main
struct Accesses {
  static func main() async throws {
    let options = Options(CommandLine.arguments)
    let folder = try Folder()
    defer { folder.remove() }
    let table = AccessTable(options: options)
    try await table.addEmptyAccesses(folder)
    try table.addReads(folder)
    try table.addCommits(folder)
    try table.addOpening(folder)
  }
}

/// The command line.
struct Options {
  var rounds = 7
  var filter = ""

  init(_ arguments: [String]) {
    if let value = Self.value(of: "--rounds", in: arguments).flatMap({ Int($0) }) { rounds = value }
    if let value = Self.value(of: "--filter", in: arguments) { filter = value }
  }

  private static func value(of name: String, in arguments: [String]) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
      return nil
    }
    return arguments[index + 1]
  }
}

/// A directory that lives as long as the run.
struct Folder {
  private let url: URL

  init() throws {
    let directory = ProcessInfo.processInfo.environment["QUARRY_FILES"].map {
      URL(fileURLWithPath: $0)
    }
    url = (directory ?? FileManager.default.temporaryDirectory)
      .appendingPathComponent("quarry-accesses-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The path of a new file with tables.
  func makeFile(_ statements: [String]) throws -> String {
    let path = url.appendingPathComponent("\(UUID().uuidString).sqlite").path
    try makeAccessFile(path: path, statements)
    return path
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}

import Foundation
import Harness

/// The command line.
struct Options {
  static let usage = """
    usage: Benchmarks [--filter WORD] [--rounds N] [--counts] [--profile] [--json PATH] [--only NAME] \
    [--database PATH] [--copies] [--share I/N]
      --filter WORD  only the line of this name, or those that contain it: \(
        Line.built.map(\.rawValue).joined(separator: ", ")), \(jsonColumns) for the coders of JSON columns,
                     \(codableFloor) for the least that Codable records cost,
                     or \(csvFiles) for a CSV file as a table
      --rounds N     rounds after the warm-up, 9 unless told
      --counts       counts of one pass (statements prepared, steps, allocations) instead of times
      --profile      one pass of each line, for a profiler: prints the names of the lines only (Scripts/instructions)
      --share I/N    each N-th line only, beginning with the I-th: for N processes at once
      --json PATH    where to write the results, results.json beside the package's manifest
      --only NAME    only C, Quarry, GRDB, or unchecked (the coders that check nothing): for a profiler
      --database PATH  the file to work on, made if it is missing: outside of a profiler, that takes a second
      --copies       C has SQLite copy the texts that it binds, instead of lending them
    """

  /// The filter for the pair of lines beside the table.
  static let jsonColumns = "coders"

  /// The filter for the table of Codable records.
  static let codableFloor = "floor"

  /// The filter for the CSV file, which is not part of the table either.
  static let csvFiles = "csv"

  var filter: String?
  var rounds = 9
  var counts = false
  var profile = false
  var copies = false
  private var share = (index: 1, count: 1)
  var only: Contestant.Name?
  var database: String?
  private var jsonPath: String?

  init(arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--filter": filter = try Self.value(of: argument, from: &rest)
      case "--rounds": rounds = try Self.number(of: argument, from: &rest)
      case "--counts": counts = true
      case "--profile": profile = true
      case "--copies": copies = true
      case "--share": share = try Self.share(Self.value(of: argument, from: &rest))
      case "--json": jsonPath = try Self.value(of: argument, from: &rest)
      case "--database": database = try Self.value(of: argument, from: &rest)
      case "--only": only = try Self.contestant(of: argument, from: &rest)
      case "--help", "-h":
        print(Self.usage)
        exit(0)
      default: throw Failure("unknown option \(argument)\n\(Self.usage)")
      }
    }
  }

  var lines: [Line] {
    stride(from: share.index - 1, to: namedLines.count, by: share.count).map { namedLines[$0] }
  }

  private var namedLines: [Line] {
    guard let filter else { return Line.built }
    if let line = Line.built.first(where: { $0.rawValue == filter }) { return [line] }
    return Line.built.filter { $0.rawValue.contains(filter) }
  }

  var json: URL {
    if let jsonPath { return URL(fileURLWithPath: jsonPath) }
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return package.appendingPathComponent(counts ? "results-counts.json" : "results.json")
  }

  private static func value(of name: String, from rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw Failure("\(name) needs a value\n\(usage)") }
    return value
  }

  private static func number(of name: String, from rest: inout ArraySlice<String>) throws -> Int {
    let text = try value(of: name, from: &rest)
    guard let number = Int(text), number > 0 else {
      throw Failure("\(name) needs a number above zero, not \(text)")
    }
    return number
  }

  private static func share(_ text: String) throws -> (index: Int, count: Int) {
    let numbers = text.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 2, numbers[0] > 0, numbers[0] <= numbers[1] else {
      throw Failure("--share needs a share such as 1/2, not \(text)")
    }
    return (numbers[0], numbers[1])
  }

  private static func contestant(
    of name: String, from rest: inout ArraySlice<String>
  ) throws -> Contestant.Name {
    let text = try value(of: name, from: &rest)
    guard let contestant = Contestant.Name(rawValue: text) else {
      throw Failure("\(name) needs one of C, Quarry, GRDB, unchecked, not \(text)")
    }
    return contestant
  }
}

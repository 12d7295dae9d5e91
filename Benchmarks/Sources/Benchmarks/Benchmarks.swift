import ByHand
import Counters
import Foundation
import Harness

/// Runs the lines of the table, each by all contenders, and reports.
@main
struct Benchmarks {
  static func main() {
    keep_memory()
    do {
      try run(Options(arguments: Array(CommandLine.arguments.dropFirst())))
    } catch {
      FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    let lines = options.lines
    copiesTexts = options.copies
    if options.filter == Options.jsonColumns {
      return print(try JSONColumns.text(rounds: options.rounds))
    }
    if options.filter == Options.csvFiles {
      return print(try CSVFiles.text(rounds: options.rounds))
    }
    let isFloor = options.filter == Options.codableFloor
    guard isFloor || !lines.isEmpty else {
      throw Failure("no line matches \(options.filter ?? "")")
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = options.database ?? folder.path(of: "benchmarks.sqlite")
    if !FileManager.default.fileExists(atPath: path) { try makeDatabase(path: path) }
    if isFloor {
      return print(try CodableFloor.text(path: path, rounds: options.rounds))
    }
    let all =
      options.only == .unchecked
      ? try Contestant.codable(path: path) : try Contestant.all(path: path)
    let contestants = all.filter { options.only == nil || options.only == $0.name }
    let runner = Runner(contestants: contestants)
    if options.profile {
      for line in lines where line.isProfiled {
        try runner.profile(line)
        print(line.rawValue)
      }
    } else if options.counts {
      try report(lines.map { try runner.counts(of: $0) }, to: options)
    } else {
      try report(lines.map { try runner.times(of: $0, rounds: options.rounds) }, to: options)
      if options.filter == nil { print("\n" + (try JSONColumns.text(rounds: options.rounds))) }
    }
  }

  private static func report(_ results: [some LineResult], to options: Options) throws {
    print(Table(results: results).text)
    try Report(results: results).write(to: options.json)
    print("The same in JSON: \(options.json.path)")
  }
}

/// A directory that lives as long as the run.
struct TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func path(of name: String) -> String {
    url.appendingPathComponent(name).path
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}

/// What stops the run, in one line.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

import ArgumentParser
import Foundation
import Quarry

@main
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Imports the sales of a CSV file into a database.",
    discussion: """
      Lines that can't be imported are listed at the end, and the exit code is 1 then. An import that was stopped goes on \
      where it was.
      """)

  @Argument(help: "The CSV file, with the columns \(Sale.columns.joined(separator: ",")).")
  var file: String
  @Argument(help: "The database; it is made if it is not there.")
  var database: String
  @Flag(help: "Deletes what was imported from the file, and begins again.")
  var again = false
  @Option(name: .customLong("batch"), help: "The number of lines in a transaction.")
  var batchSize = 10_000

  func validate() throws {
    if batchSize < 1 { throw ValidationError("--batch is 1 or more.") }
  }

  func run() throws {
    var configuration = Configuration()
    configuration.journalMode = .wal  // others read while this program writes
    configuration.busyMode = .timeout(10)
    let importer = Importer(
      database: try DatabaseQueue(path: database, configuration: configuration),
      path: URL(fileURLWithPath: file).standardizedFileURL.path, batchSize: batchSize)
    if again { try importer.forget() }
    // Written again and again in one line of a terminal, in lines of their own elsewhere.
    let end = isatty(STDERR_FILENO) == 1 ? "\r" : "\n"
    let imported = try importer.run { file in
      if !file.isComplete { write(progress(file) + end) }
    }
    write(progress(imported) + "\n")
    try importer.forEachRejectedLine(of: imported) { print("\(file):\($0.line): \($0.reason)") }
    if imported.rejectedCount > 0 { throw ExitCode.failure }
  }

  /// `[##########                    ]  33 %, 1200 sales, 3 lines rejected`
  private func progress(_ file: ImportedFile) -> String {
    let percent = Int(file.offset * 100 / file.size)
    let bar = String(repeating: "#", count: percent * 30 / 100)
      .padding(toLength: 30, withPad: " ", startingAt: 0)
    let counts = "\(file.importedCount) sales, \(file.rejectedCount) lines rejected"
    return "[\(bar)] \(percent) %, \(counts)"
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}

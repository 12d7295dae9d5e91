import Foundation
import Quarry

@main
enum Import {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let file = arguments.first, let database = arguments.dropFirst().first,
      arguments.count == 2
    else {
      write("usage: Import FILE DATABASE\n")
      exit(64)
    }
    do {
      try run(file, database)
    } catch {
      write("Import: \(error)\n")
      exit(1)
    }
  }

  private static func run(_ file: String, _ database: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .wal
    let importer = try Importer(
      database: DatabaseQueue(path: database, configuration: configuration), path: file)
    let state = try importer.run { state in write("\r\(bar(state))") }
    write("\r\(bar(state))\n")
    for line in try importer.rejectedLines() { print("\(file):\(line.line): \(line.reason)") }
  }

  /// `[##########          ]  50 %  1200 rows, 3 rejected`
  static func bar(_ state: ImportState) -> String {
    let percent = state.size > 0 ? Int(state.offset * 100 / state.size) : 100
    let length = percent * 30 / 100
    let bar = String(repeating: "#", count: length) + String(repeating: " ", count: 30 - length)
    let number = String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0)
    return "[\(bar)] \(number)\(percent) %  \(state.imported) rows, \(state.rejected) rejected"
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}

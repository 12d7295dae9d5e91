import Foundation

struct UsageError: Error {
  var message: String
}

/// The command line.
struct Options {
  var data = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../Data").standardizedFileURL.path
  var database: String?

  static let usage = """
    usage: Library [--data DIRECTORY] [--db PATH]
      --data DIRECTORY  with countries.csv, languages.csv, authors.csv and works.csv
      --db PATH         the database file to write and keep (by default a temporary one)
    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      guard ["--data", "--db"].contains(argument) else {
        throw UsageError(message: "unknown argument '\(argument)'")
      }
      guard let value = arguments.next(), !value.isEmpty else {
        throw UsageError(message: "\(argument) needs a value")
      }
      if argument == "--data" { data = value } else { database = value }
    }
  }
}

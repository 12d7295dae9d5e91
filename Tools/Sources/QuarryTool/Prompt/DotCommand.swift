import Quarry

/// A command of `query`: a line of its own that begins with a dot, at the prompt or in standard
/// input.
enum DotCommand {
  case tables
  case schema(String)
  case format(RowFormat)
  case help
  case quit

  static let list = """
    .tables          the tables and views
    .schema [TABLE]  the SQL that has made them
    .format FORMAT   box, csv, json or jsonl
    .help            this list
    .quit            the end, as Control-D
    """

  /// Whether a line that begins a statement is a command: no statement begins with a dot.
  static func isCommand(_ line: String) -> Bool {
    line.drop(while: \.isWhitespace).hasPrefix(".")
  }

  init(_ line: String) throws {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    let name = words.first ?? ""
    let argument = words.dropFirst().joined(separator: " ")
    switch name {
    case ".tables": self = .tables
    case ".schema": self = .schema(argument)
    case ".format":
      guard let format = RowFormat(rawValue: argument) else {
        throw ToolError("no such format: \(argument): box, csv, json and jsonl are")
      }
      self = .format(format)
    case ".help": self = .help
    case ".quit", ".exit": self = .quit
    default: throw ToolError("no such command: \(name); .help lists them")
    }
  }
}

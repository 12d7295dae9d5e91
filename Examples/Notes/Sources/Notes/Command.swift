/// A command line: `search old pier`.
enum Command: Equatable {
  case add(title: String, body: String, tags: [String])
  case edit(Int64, title: String?, body: String?, tags: [String]?)
  case delete(Int64)
  case show(Int64)
  case list(tag: String?)
  case search(String)

  struct UsageError: Error, CustomStringConvertible {
    var message: String
    var description: String { "\(message)\n\(Command.usage)" }
  }

  static let usage = """
    usage: Notes add TITLE [TEXT] [--tag NAME]...
           Notes edit NUMBER [--title TITLE] [--text TEXT] [--tag NAME]...
           Notes show NUMBER
           Notes delete NUMBER
           Notes list [--tag NAME]
           Notes search WORDS
    The notes are in ~/.notes.sqlite, or in the file that NOTES_FILE names.
    """

  init(_ arguments: [String]) throws {
    var line = try Line(arguments.dropFirst())
    switch arguments.first {
    case "add":
      self = .add(
        title: try line.next("a title"), body: line.nextIfAny() ?? "", tags: line.all("--tag") ?? []
      )
    case "edit":
      self = .edit(
        try line.nextNumber(), title: line.last("--title"), body: line.last("--text"),
        tags: line.all("--tag"))
    case "delete": self = .delete(try line.nextNumber())
    case "show": self = .show(try line.nextNumber())
    case "list": self = .list(tag: line.last("--tag"))
    case "search": self = .search(line.rest())
    default: throw UsageError(message: "there is no such command")
    }
    try line.checkIsEmpty()
  }
}

/// Words, and options with their values.
private struct Line {
  private var words: [String] = []
  private var options: [String: [String]] = [:]

  init(_ arguments: ArraySlice<String>) throws {
    var arguments = arguments
    while let argument = arguments.popFirst() {
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      guard let value = arguments.popFirst() else {
        throw Command.UsageError(message: "\(argument) needs a value")
      }
      options[argument, default: []].append(value)
    }
  }

  mutating func nextIfAny() -> String? {
    words.isEmpty ? nil : words.removeFirst()
  }

  mutating func next(_ what: String) throws -> String {
    guard let word = nextIfAny() else { throw Command.UsageError(message: "\(what) is missing") }
    return word
  }

  mutating func nextNumber() throws -> Int64 {
    let word = try next("a number")
    guard let number = Int64(word) else {
      throw Command.UsageError(message: "\(word) is no number")
    }
    return number
  }

  mutating func rest() -> String {
    defer { words = [] }
    return words.joined(separator: " ")
  }

  mutating func all(_ option: String) -> [String]? { options.removeValue(forKey: option) }
  mutating func last(_ option: String) -> String? { all(option)?.last }

  func checkIsEmpty() throws {
    guard let word = words.first ?? options.keys.sorted().first else { return }
    throw Command.UsageError(message: "\(word) is too much")
  }
}

import ArgumentParser
import Foundation

extension Notes {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Adds a note.")

    @OptionGroup var file: FileOptions
    @Argument var title: String
    @Argument(help: "The text; - reads it from standard input.") var text = ""
    @Option(name: .customLong("tag"), help: "A tag; may be repeated.") var tags: [String] = []

    func validate() throws {
      try check(title: title, tags: tags)
    }

    func run() throws {
      let note = try file.open().add(title: title, text: readText(text), tags: tags)
      print(note.line())
    }
  }

  struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes a note.", discussion: "What is not given stays as it is.")

    @OptionGroup var file: FileOptions
    @Argument var number: Int64
    @Option var title: String?
    @Option(help: "The text; - reads it from standard input.") var text: String?
    @Option(name: .customLong("tag"), help: "Tags in place of those that it has.")
    var tags: [String] = []

    func validate() throws {
      try check(title: title, tags: tags)
    }

    func run() throws {
      let note = try file.open().edit(
        number, title: title, text: text.map(readText), tags: tags.isEmpty ? nil : tags)
      print(note.line())
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows a note.")

    @OptionGroup var file: FileOptions
    @Argument var number: Int64

    func run() throws {
      let note = try file.open().note(number)
      print(note.line(), "", note.note.text, separator: "\n")
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Deletes a note.")

    @OptionGroup var file: FileOptions
    @Argument var number: Int64

    func run() throws {
      try file.open().delete(number)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the notes, those that were changed last first.")

    @OptionGroup var file: FileOptions
    @Option(help: "Only those with a tag.") var tag: String?

    func run() throws {
      for note in try file.open().notes(tag: tag) { print(note.line()) }
    }
  }

  struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Finds the notes that have all words.",
      discussion: "The last word may be a beginning. The exit code is 1 if nothing is found.")

    @OptionGroup var file: FileOptions
    @Argument var words: [String]
    @Option(help: "The greatest number of notes.") var limit = 20

    func validate() throws {
      if limit < 1 { throw ValidationError("--limit is 1 or more.") }
    }

    func run() throws {
      let marks = isatty(STDOUT_FILENO) == 1 ? ("\u{1B}[1m", "\u{1B}[0m") : ("[", "]")
      let text = words.joined(separator: " ")
      let findings = try file.open().search(text, limit: limit, marks: marks)
      for finding in findings {
        print(finding.note.line(title: finding.markedTitle))
        print("   \(finding.extract.replacing("\n", with: " "))")
      }
      if findings.isEmpty { throw ExitCode.failure }
    }
  }
}

/// What the schema would refuse, too: here, the message is for people.
private func check(title: String?, tags: [String]) throws {
  if title == "" { throw ValidationError("The title is empty.") }
  if tags.contains("") { throw ValidationError("A tag is empty.") }
}

private func readText(_ text: String) -> String {
  guard text == "-" else { return text }
  return String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
}

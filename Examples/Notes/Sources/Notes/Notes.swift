import ArgumentParser
import Foundation

@main
struct Notes: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Keeps notes, with tags, and finds them by their words.",
    subcommands: [Add.self, Edit.self, Show.self, Delete.self, List.self, Search.self])
}

/// What all commands have in common: the file.
struct FileOptions: ParsableArguments {
  @Option(help: "The file of the notes; by default NOTES_FILE of the environment.")
  var file = FileOptions.defaultPath

  func open() throws -> Notebook {
    try Notebook(path: file)
  }

  private static var defaultPath: String {
    let environment = ProcessInfo.processInfo.environment
    return environment["NOTES_FILE"] ?? "\(environment["HOME"] ?? ".")/.notes.sqlite"
  }
}

extension TaggedNote {
  /// `7  Harbor tour  #trip`
  func line(title: String? = nil) -> String {
    let id = note.id.map(String.init) ?? ""
    return ([id, title ?? note.title] + tags.map { "#\($0.name)" }).joined(separator: "  ")
  }
}

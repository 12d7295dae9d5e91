import Foundation

@main
enum Notes {
  static func main() {
    do {
      let command = try Command(Array(CommandLine.arguments.dropFirst()))
      for line in try lines(of: command, in: Notebook(path: path)) { print(line) }
    } catch {
      FileHandle.standardError.write(Data("Notes: \(error)\n".utf8))
      exit(error is Command.UsageError ? 64 : 1)
    }
  }

  private static var path: String {
    let environment = ProcessInfo.processInfo.environment
    return environment["NOTES_FILE"] ?? "\(environment["HOME"] ?? ".")/.notes.sqlite"
  }

  /// Runs a command, and returns what it writes.
  static func lines(of command: Command, in notebook: Notebook) throws -> [String] {
    switch command {
    case .add(let title, let body, let tags):
      return try [summary(notebook.add(title: title, body: body, tags: tags))]
    case .edit(let id, let title, let body, let tags):
      return try [summary(notebook.edit(id, title: title, body: body, tags: tags))]
    case .delete(let id):
      try notebook.delete(id)
      return []
    case .show(let id):
      let note = try notebook.note(id)
      return [summary(note), "", note.note.body]
    case .list(let tag):
      return try notebook.notes(tag: tag).map(summary)
    case .search(let text):
      return try notebook.search(text).flatMap { hit in
        let extract = hit.extract.replacing("\n", with: " ")
        return [summary(hit.note), "   \(extract)"]
      }
    }
  }

  private static func summary(_ note: TaggedNote) -> String {
    let tags = note.tags.map { "#\($0.name)" }.joined(separator: " ")
    let parts = [note.note.id.map { "\($0)" } ?? "", note.note.title, tags]
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }
}

import Foundation
import Quarry

/// The prompt of `quarry query`: statements over several lines, a history, and a few commands.
struct Prompt {
  private var session: QuerySession
  private var editor = LineEditor(history: History.standard)

  init(_ session: QuerySession) {
    self.session = session
  }

  mutating func run() throws {
    let query = session.query
    Output.line(
      "\(query.file.file)\(query.write ? "" : " (read-only)"). Statements end with ;  .help shows commands."
    )
    while let line = try editor.read(prompt: session.text.isEmpty ? "quarry> " : "   ...> ") {
      let (start, end) = (session.text, session.text.isEmpty ? line : "\n" + line)
      var goesOn = true
      do {
        goesOn = try session.enter(end)
      } catch {
        // Errors don't end the prompt.
        Output.line("\(error)")
      }
      if session.text.isEmpty { editor.history.add(start + end) }
      if session.text.allSatisfy(\.isWhitespace) { session.clear() }
      fflush(nil)
      guard goesOn else { return }
    }
  }
}

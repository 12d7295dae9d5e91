import Foundation

/// Reads a line from the terminal: arrow keys, Home and End, backspace, Control-A, -E, -U, -W, -C
/// and -D.
struct LineEditor {
  var history: History
  private var characters: [Character] = []
  private var cursor = 0
  /// The position in the history, which is its count for the line that is being written.
  private var position = 0
  private var unsent = ""

  init(history: History) {
    self.history = history
  }

  /// - returns: the line, nil at the end of the input.
  mutating func read(prompt: String) throws -> String? {
    let terminal = try RawTerminal()
    defer { terminal.restore() }
    set("")
    position = history.entries.count
    show(prompt)
    while let key = terminal.readKey() {
      switch key {
      case .enter:
        Self.write("\r\n")
        return String(characters)
      case .endOfInput where characters.isEmpty:
        Self.write("\r\n")
        return nil
      case .cancel:
        Self.write("^C\r\n")
        set("")
      default:
        edit(key)
      }
      show(prompt)
    }
    return nil
  }

  private mutating func edit(_ key: Key) {
    switch key {
    case .character(let character): insert(character)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .home: cursor = 0
    case .end: cursor = characters.count
    case .backspace where cursor > 0:
      cursor -= 1
      characters.remove(at: cursor)
    case .delete, .endOfInput:
      if cursor < characters.count { characters.remove(at: cursor) }
    case .up: recall(position - 1)
    case .down: recall(position + 1)
    case .clear:
      characters.removeFirst(cursor)
      cursor = 0
    case .deleteWord: deleteWord()
    default: break
    }
  }

  /// Combining characters join the one before them.
  private mutating func insert(_ character: Character) {
    let before = String(characters[..<cursor]) + String(character)
    let joined = Array(before)
    characters.replaceSubrange(..<cursor, with: joined)
    cursor = joined.count
  }

  private mutating func deleteWord() {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    characters.removeSubrange(start..<cursor)
    cursor = start
  }

  private mutating func recall(_ index: Int) {
    guard 0...history.entries.count ~= index else { return }
    if position == history.entries.count { unsent = String(characters) }
    position = index
    set(index == history.entries.count ? unsent : history.entries[index])
  }

  /// Entries of several lines come back as one.
  private mutating func set(_ text: String) {
    characters = Array(text.replacing("\n", with: " "))
    cursor = characters.count
  }

  private func show(_ prompt: String) {
    let back = String(characters[cursor...]).onOneLine.displayWidth
    let move = back > 0 ? "\u{1B}[\(back)D" : ""
    Self.write("\r\u{1B}[K\(prompt)\(String(characters).onOneLine)\(move)")
  }

  private static func write(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
  }
}

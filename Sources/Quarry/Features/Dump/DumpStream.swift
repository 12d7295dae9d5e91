/// Where a dump is written: a stream of the user, or the standard output.
public struct DumpStream: TextOutputStream {
  private var base: (any TextOutputStream)?
  private var needsMargin = false

  /// - parameter base: nil for the standard output.
  init(_ base: (any TextOutputStream)?) { self.base = base }

  /// Puts a newline before the next text, if there is some, unless it begins with one.
  ///
  /// ```swift
  /// stream.write("player\n")
  /// stream.margin()
  /// stream.write("team\n") // player, a blank line, team
  /// ```
  public mutating func margin() { needsMargin = true }

  /// Writes a text.
  public mutating func write(_ string: String) {
    guard !string.isEmpty else { return }
    if needsMargin, string.first != "\n" { writeText("\n") }
    needsMargin = false
    writeText(string)
  }

  private mutating func writeText(_ string: String) {
    if base == nil { print(string, terminator: "") } else { base?.write(string) }
  }
}

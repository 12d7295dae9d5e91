/// The differences between two texts, byte by byte, as `diff -u` shows them.
struct LineDiff {
  /// Empty if there is no difference.
  private(set) var lines: [String] = []

  private let old: [[UInt8]]
  private let new: [[UInt8]]
  private var entries: [Entry] = []

  private static let contextCount = 3

  private struct Entry {
    /// `-`, `+`, or a space for a line that both texts have.
    var sign: Character
    var line: [UInt8]
    /// The numbers of lines before this one.
    var position: (old: Int, new: Int)
  }

  init(old: [UInt8], new: [UInt8]) {
    self.old = Self.lines(old)
    self.new = Self.lines(new)
    findEntries()
    for range in hunks() { show(entries[range]) }
  }

  /// Each with its end, which the last one may lack.
  private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    let newline = UInt8(ascii: "\n")
    let parts = bytes.split(separator: newline, omittingEmptySubsequences: false)
    let lines = parts.dropLast().map { Array($0) + [newline] }
    return lines + (parts.last.map { $0.isEmpty ? [] : [Array($0)] } ?? [])
  }

  private mutating func findEntries() {
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var position = (old: 0, new: 0)
    while position.old < old.count || position.new < new.count {
      if removed.contains(position.old) {
        entries.append(Entry(sign: "-", line: old[position.old], position: position))
        position.old += 1
      } else if inserted.contains(position.new) {
        entries.append(Entry(sign: "+", line: new[position.new], position: position))
        position.new += 1
      } else {
        entries.append(Entry(sign: " ", line: old[position.old], position: position))
        position = (position.old + 1, position.new + 1)
      }
    }
  }

  /// The changes with the lines around them.
  private func hunks() -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in entries.indices where entries[index].sign != " " {
      let start = max(0, index - Self.contextCount)
      let end = min(entries.count, index + Self.contextCount + 1)
      if let last = hunks.last, last.upperBound >= start {
        hunks[hunks.count - 1] = last.lowerBound..<end
      } else {
        hunks.append(start..<end)
      }
    }
    return hunks
  }

  private mutating func show(_ hunk: ArraySlice<Entry>) {
    guard let first = hunk.first else { return }
    let oldCount = hunk.count { $0.sign != "+" }
    let newCount = hunk.count { $0.sign != "-" }
    let start = { (position: Int, count: Int) in count == 0 ? position : position + 1 }
    lines.append(
      """
      @@ -\(start(first.position.old, oldCount)),\(oldCount) \
      +\(start(first.position.new, newCount)),\(newCount) @@
      """)
    for entry in hunk {
      let isWhole = entry.line.last == UInt8(ascii: "\n")
      let text = entry.line.dropLast(isWhole ? 1 : 0)
      lines.append("\(entry.sign)\(String(decoding: text, as: UTF8.self))")
      if !isWhole { lines.append("\\ No newline at end of file") }
    }
  }
}

extension String {
  /// The number of columns in a terminal: two for wide characters and emoji, none for combining
  /// ones.
  var displayWidth: Int {
    reduce(0) { $0 + $1.displayWidth }
  }

  /// The text with another one in the place of a scalar. Swift's own method replaces characters,
  /// which a quote before a combining character is not.
  func replacing(scalar: Unicode.Scalar, with text: String) -> String {
    unicodeScalars.reduce(into: "") { result, other in
      if other == scalar { result += text } else { result.unicodeScalars.append(other) }
    }
  }

  /// The text on one line, without characters that move the cursor or change colors.
  var onOneLine: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControl: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text, cut off where it is wider.
  func clipped(toWidth width: Int) -> String {
    guard width > 0, displayWidth > width else { return self }
    var rest = width - 1
    let start = prefix { character in
      rest -= character.displayWidth
      return rest >= 0
    }
    return start + "…"
  }

  func padded(toWidth width: Int, onTheLeft: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - displayWidth))
    return onTheLeft ? padding + self : self + padding
  }
}

extension Character {
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if isASCII { return 1 }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return Self.isWide(first.value) ? 2 : 1
    }
  }

  /// See <https://www.unicode.org/reports/tr11/>.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// Control characters, and those that turn the direction of texts.
  fileprivate var isControl: Bool {
    properties.generalCategory == .control || properties.generalCategory == .lineSeparator
      || properties.generalCategory == .paragraphSeparator || (0x202A...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }
}

extension Int {
  /// `1 row`, `840 rows`
  func counted(_ noun: String, _ plural: String? = nil) -> String {
    self == 1 ? "1 \(noun)" : "\(self) \(plural ?? noun + "s")"
  }

  /// `120 KB`
  var asByteCount: String {
    var size = Double(self)
    var units = ["bytes", "KB", "MB", "GB", "TB"][...]
    while size >= 1024, units.count > 1 {
      size /= 1024
      units = units.dropFirst()
    }
    let unit = units.first ?? ""
    if unit == "bytes" { return "\(self) bytes" }
    let tenths = Int((size * 10).rounded())
    return tenths >= 100
      ? "\(Int(size.rounded())) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}

extension String {
  func trimmingSuffix(_ character: Character) -> String {
    String(self[..<(lastIndex { $0 != character }.map(index(after:)) ?? startIndex)])
  }
}

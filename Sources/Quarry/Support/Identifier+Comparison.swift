extension String {
  /// Compares two names as SQLite does: ASCII letters regardless of their case.
  func isSameIdentifier(as other: String) -> Bool {
    if self == other { return true }
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
  }
}

extension UInt8 {
  var lowercasedASCII: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }
}

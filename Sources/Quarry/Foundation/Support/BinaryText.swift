import Foundation

/// A name or an SQL text as SQLite compares it: byte by byte.
///
/// Strings of Swift are equal up to Unicode normalization: `é` may be one scalar, or an `e`
/// followed by an accent. To SQLite, those are two columns, two parameters, two literals. So what
/// comes from a database or goes there is not compared with `==`, and is the key of no dictionary,
/// but as a binary text: see also ``Swift/String/hasSameBytes(as:)``.
package struct BinaryText: Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  func hasPrefix(_ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }

  func hasSuffix(_ suffix: String) -> Bool {
    text.utf8.reversed().starts(with: suffix.utf8.reversed())
  }
}

extension BinaryText: Hashable, Comparable {
  package static func == (lhs: BinaryText, rhs: BinaryText) -> Bool {
    lhs.text.hasSameBytes(as: rhs.text)
  }

  package static func < (lhs: BinaryText, rhs: BinaryText) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    unsafe text.withUTF8Bytes { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No byte of UTF-8: `["a", "b"]` is not `["ab", ""]`.
    hasher.combine(0xFF as UInt8)
  }
}

extension BinaryText: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

extension String {
  /// Returns whether the strings are equal for SQLite.
  @inlinable @inline(__always) package func hasSameBytes(as other: String) -> Bool {
    hasSameBits(as: other) || hasSameContent(as: other)
  }

  @usableFromInline @inline(never) func hasSameContent(as other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    return unsafe withUTF8Bytes { bytes in
      unsafe other.withUTF8Bytes { others in
        guard let start = bytes.baseAddress, let otherStart = others.baseAddress else {
          return true
        }
        return unsafe memcmp(start, otherStart, count) == 0
      }
    }
  }

  func withUTF8Bytes<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    // `withUTF8` would count a reference, as it may change the text.
    if let result = unsafe utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}

extension Collection<String> {
  /// Returns whether the texts are equal for SQLite, one by one.
  package func hasSameTexts(as others: some Collection<String>) -> Bool {
    count == others.count && elementsEqual(others) { $0.hasSameBytes(as: $1) }
  }

  package func containsText(_ text: String) -> Bool { contains { $0.hasSameBytes(as: text) } }
}

extension [String]? {
  package func hasSameTexts(as others: [String]?) -> Bool {
    guard let self, let others else { return self == nil && others == nil }
    return self.hasSameTexts(as: others)
  }
}

// Identifiers: SQLite ignores the case of ASCII letters, and only of those.
extension String {
  /// Compares two names as SQLite does.
  package func isSameIdentifier(as other: String) -> Bool {
    if hasSameBits(as: other) { return true }
    guard utf8.count == other.utf8.count else { return false }
    return unsafe withUTF8Bytes { bytes in
      unsafe other.withUTF8Bytes { others in
        unsafe zip(bytes, others).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
      }
    }
  }

  /// The key of a name in a dictionary or a set.
  package var identifierKey: BinaryText {
    guard utf8.contains(where: { $0 != $0.lowercasedASCII }) else { return BinaryText(self) }
    return BinaryText(String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self))
  }
}

extension UInt8 {
  var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

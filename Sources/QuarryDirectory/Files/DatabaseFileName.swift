import Foundation
import Quarry

/// The name of the file of a key: lowercase letters, digits, `-`, `_` and dots stand for
/// themselves, a byte of anything else is `%` and two lowercase hexadecimal digits. A dot at the
/// beginning is one of these: such files are hidden.
///
/// Keys in their normal form and names are in one-to-one correspondence, and no two names differ in
/// case only.
enum DatabaseFileName {
  static let suffix = ".sqlite"

  /// File systems allow 255 bytes, and SQLite adds up to eight, as in `-journal`. See
  /// <https://www.sqlite.org/tempfiles.html>.
  static let maximumLength = 255 - "-journal".utf8.count

  static func name(of key: String) -> String {
    var name = ""
    for byte in key.utf8 {
      let isPlain = isPlain(byte) && !(byte == UInt8(ascii: ".") && name.isEmpty)
      name += isPlain ? String(Unicode.Scalar(byte)) : code(byte)
    }
    return name + suffix
  }

  /// The key of a name. Nil for a name of no key, such as one whose key has another normal form.
  static func key(of name: String) -> String? {
    guard name.hasSuffix(suffix), let bytes = bytes(of: name.utf8.dropLast(suffix.utf8.count)),
      !bytes.isEmpty, let key = String(validating: bytes, as: UTF8.self)
    else { return nil }
    return self.name(of: key.precomposedStringWithCanonicalMapping).hasSameBytes(as: name)
      ? key : nil
  }

  private static func bytes(of name: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = name[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let code = UInt8(String(Substring(rest.prefix(2))), radix: 16) else { return nil }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-_.".utf8.contains(byte)
    }
  }

  private static func code(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
  }
}

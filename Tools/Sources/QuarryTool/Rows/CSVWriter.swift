import Foundation
import Quarry

/// Rows as CSV, with a header. Blobs are written as `X'01FF'`; `import` reads them back.
///
/// See <https://www.rfc-editor.org/rfc/rfc4180>.
struct CSVWriter: RowWriter {
  /// What is written for NULL. A text that is the same is quoted.
  var null: String

  mutating func begin(_ columns: [String], to file: inout TextFile) {
    write(columns.map { quotedIfNeeded($0) }, to: &file)
  }

  mutating func write(_ values: [DatabaseValue], to file: inout TextFile) {
    write(values.map(field), to: &file)
  }

  mutating func end(to file: inout TextFile) {}

  private func write(_ fields: [String], to file: inout TextFile) {
    file.write(fields.joined(separator: ",") + "\n")
  }

  private func field(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: null
    case .int64(let integer): integer.description
    case .double(let double) where double.isFinite: double.description
    // SQLite reads this number as infinity.
    case .double(let double): double < 0 ? "-9e999" : "9e999"
    case .string(let text): quotedIfNeeded(text)
    case .blob(let data): "X'\(data.hexadecimal)'"
    }
  }

  private func quotedIfNeeded(_ text: String) -> String {
    let isSpecial = text.unicodeScalars.contains { [",", "\"", "\n", "\r"].contains($0) }
    guard isSpecial || text == null else { return text }
    return "\"" + text.replacing(scalar: "\"", with: "\"\"") + "\""
  }
}

extension Data {
  var hexadecimal: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 2)
    for byte in self {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of `X'01FF'`. Nil for another text.
  init?(blobLiteral text: String) {
    guard text.hasPrefix("X'"), text.hasSuffix("'"), text.utf8.count.isMultiple(of: 2) == false
    else { return nil }
    let digits = Array(text.utf8.dropFirst(2).dropLast())
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    self.init(bytes)
  }
}

import Foundation
import Quarry

/// Rows as objects: in an array, or one a line. Blobs are objects, `{"base64":"AQID"}`; `import`
/// reads them back.
struct JSONWriter: RowWriter {
  var isArray: Bool
  private var keys: [String] = []
  private var isFirst = true

  init(isArray: Bool) {
    self.isArray = isArray
  }

  mutating func begin(_ columns: [String], to file: inout TextFile) {
    keys = columns.map { $0.jsonText + ":" }
    if isArray { file.write("[") }
  }

  mutating func write(_ values: [DatabaseValue], to file: inout TextFile) {
    if isArray, !isFirst { file.write(",\n") }
    isFirst = false
    let members = zip(keys, values).map { $0 + $1.json }
    file.write("{\(members.joined(separator: ","))}" + (isArray ? "" : "\n"))
  }

  mutating func end(to file: inout TextFile) {
    if isArray { file.write("]\n") }
  }
}

extension DatabaseValue {
  fileprivate var json: String {
    switch storage {
    case .null: "null"
    case .int64(let integer): integer.description
    case .double(let double) where double.isFinite: double.description
    // JSON has no infinity. SQLite reads this number as one.
    case .double(let double): double < 0 ? "-9e999" : "9e999"
    case .string(let text): text.jsonText
    case .blob(let data): "{\"base64\":\"\(data.base64EncodedString())\"}"
    }
  }
}

extension String {
  /// The text as a JSON string.
  var jsonText: String {
    var json = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where scalar.value < 0x20:
        json += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}

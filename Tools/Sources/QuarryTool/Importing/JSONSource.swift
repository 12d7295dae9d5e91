import Foundation
import Quarry

/// The objects of a file with one a line, which SQLite reads: numbers stay what they are.
///
/// See <https://www.sqlite.org/json1.html#jeach>.
struct JSONSource: ImportSource {
  var path: String

  /// The number of bytes.
  var size: Int {
    get throws { try LineReader(path: path).size }
  }

  /// Those of the first object.
  func columns(_ db: Database) throws -> [(name: String, type: String?)] {
    let reader = try LineReader(path: path)
    guard let line = try reader.next() else { throw ToolError("\(path): the file is empty") }
    return try members(line, reader.line, db).map { member in
      (member.key, ["integer": "INTEGER", "real": "REAL", "text": "TEXT"][member.type])
    }
  }

  func read(
    into table: Catalog.Table, _ db: Database, _ body: (ImportRow) throws -> Void
  ) throws {
    let reader = try LineReader(path: path)
    while let line = try reader.next() {
      if line.allSatisfy(\.isWhitespace) { continue }
      let members = try members(line, reader.line, db)
      let columns = ColumnFilter(members.map(\.key), table)
      try body(
        ImportRow(
          columns: columns.names, values: columns.indices.map { members[$0].value },
          line: reader.line, position: reader.position))
    }
  }

  private typealias Member = (key: String, type: String, value: DatabaseValue)

  private func members(_ line: String, _ number: Int, _ db: Database) throws -> [Member] {
    // SQLite's JSON functions end a text there.
    guard !line.hasEscapedNUL else {
      throw ToolError("\(path):\(number): a text with a NUL (\\u0000) can't be imported")
    }
    do {
      let type = try String.fetchOne(db, sql: "SELECT json_type(?)", arguments: [line])
      guard type == "object" else {
        throw ToolError("\(path):\(number): no JSON object, but \(type ?? "nothing")")
      }
      return try Row.fetchAll(
        db, sql: "SELECT key, type, value FROM json_each(?)", arguments: [line]
      ).map { row in
        let type: String = try row.decode(atIndex: 1)
        return try (
          row.decode(atIndex: 0), type, value(row.decode(atIndex: 2), type)
        )
      }
    } catch let error as DatabaseError {
      throw ToolError("\(path):\(number): \(error.message ?? "no JSON")")
    }
  }

  /// Blobs are exported as `{"base64":"AQID"}`.
  private func value(_ value: DatabaseValue, _ type: String) throws -> DatabaseValue {
    guard type == "object", case .string(let text) = value.storage,
      let match = text.wholeMatch(of: #/\{"base64":"([A-Za-z0-9+\/=]*)"\}/#),
      let data = Data(base64Encoded: String(match.1))
    else { return value }
    return data.databaseValue
  }
}

extension String {
  /// Whether JSON has the escape `\u0000`. After the escape of a backslash, these are characters.
  fileprivate var hasEscapedNUL: Bool {
    var rest = utf8[...]
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      let escape = rest[backslash...].dropFirst()
      if escape.starts(with: "u0000".utf8) { return true }
      rest = escape.dropFirst()
    }
    return false
  }
}

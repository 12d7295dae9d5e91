/// Keys as JSON arrays: one argument, and one SQL text, for any number of keys.
enum JSONKeys {
  /// Above this number, keys are given in one JSON array.
  static let listLimit = 100

  /// Without JSON, a list has this many keys of a prefetch at most: more are read from the database
  /// again, unless that might find others.
  static let variableLimit = 30_000

  /// An element of an array. The operator takes its affinity away, with which texts would not equal
  /// numbers as they do in a list. See
  /// <https://www.sqlite.org/datatype3.html#comparison_expressions>.
  static let element = #"+"value""#

  /// Earlier versions of SQLite may lack `json_each`.
  static let since = SQLiteVersion(3, 38)

  /// `[1,"a"]`, or nil when a key can't be written in JSON without loss.
  static func array(of keys: [DatabaseValue]) -> String? { array(of: keys, append) }

  /// `[[1,"a"],[2,"b"]]`, or nil when a key can't be written in JSON without loss.
  static func array(of keys: some Collection<[DatabaseValue]>) -> String? {
    array(of: keys) { append(elements: $0, to: &$1, append) }
  }

  /// The elements in brackets, or nil when one of them is refused.
  static func array<Element>(
    of elements: some Collection<Element>, _ append: (Element, inout [UInt8]) -> Bool
  ) -> String? {
    var json: [UInt8] = []
    json.reserveCapacity(elements.count * 8)
    guard self.append(elements: elements, to: &json, append) else { return nil }
    return String(decoding: json, as: UTF8.self)
  }

  private static func append<Element>(
    elements: some Collection<Element>, to json: inout [UInt8],
    _ append: (Element, inout [UInt8]) -> Bool
  ) -> Bool {
    json.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      guard append(element, &json) else { return false }
    }
    json.append(UInt8(ascii: "]"))
    return true
  }

  /// Appends an integer or a text, or returns false.
  static func append(_ value: DatabaseValue, to json: inout [UInt8]) -> Bool {
    switch value.storage {
    case .int64(let integer): json.append(contentsOf: String(integer).utf8)
    case .string(let text): return !value.isInvalid && append(text, to: &json)
    case .null, .double, .blob: return false
    }
    return true
  }

  private static func append(_ text: String, to json: inout [UInt8]) -> Bool {
    json.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case 0:
        // SQLite ends texts there.
        return false
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        json.append(UInt8(ascii: "\\"))
        json.append(byte)
      case 1..<0x20:
        json.append(contentsOf: "\\u00".utf8)
        json.append(contentsOf: [hexDigit(byte >> 4), hexDigit(byte & 0xF)])
      default: json.append(byte)
      }
    }
    json.append(UInt8(ascii: "\""))
    return true
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

extension PlanningContext {
  /// True if `json_each` is there.
  var hasJSONKeys: Bool { (sqliteVersion ?? .linked) >= JSONKeys.since }
}

extension SQLExpression {
  /// `"id" IN (SELECT +"value" FROM json_each(?))`. See <https://www.sqlite.org/json1.html#jeach>.
  ///
  /// - parameter json: an array of values.
  static func membership(_ column: SQLExpression, inJSON json: String) -> SQLExpression {
    membership(column, inJSON: json, selecting: JSONKeys.element)
  }

  /// `("a", "b") IN (SELECT JSON_EXTRACT("value", '$[0]'), … FROM json_each(?))`
  ///
  /// - parameter json: an array of arrays.
  static func membership(row columns: [SQLExpression], inJSON json: String) -> SQLExpression {
    let paths = columns.indices.map { "JSON_EXTRACT(\"value\", '$[\($0)]')" }
    return membership(
      SQLExpression(.row(columns)), inJSON: json, selecting: paths.joined(separator: ", "))
  }

  private static func membership(
    _ operand: SQLExpression, inJSON json: String, selecting selection: some CustomStringConvertible
  ) -> SQLExpression {
    let sql = SQL(sql: "SELECT \(selection) FROM json_each(?)", arguments: [json])
    return SQLExpression(
      .membership(operand, in: .subquery(SQLSubquery(.literal(sql))), isNegated: false))
  }
}

/// The values of a list as one JSON array, which gives the same rows as arguments do.
///
/// SQLite's versions round decimal numbers in different ways. A double that is no small integer is
/// therefore written as an integer, and the binary digits by which it is shifted to the right:
/// `0.1` is `[3602879701896397,55]`. No step of the arithmetic rounds: a divisor is a power of two,
/// and the quotients are at least as large as the double.
struct JSONList {
  let json: String
  /// The SQL of an element, without affinity, as a selection of `json_each`.
  let element: String

  /// Nil if a value can't be written in JSON without loss, or would not be the same as in a list:
  /// columns with the affinity `REAL` round large integers of lists only.
  init?(_ values: [DatabaseValue]) {
    let scale = Scale(of: values)
    let json = JSONKeys.array(of: values) { $0.isExactDouble && scale.append($0, to: &$1) }
    guard let json else { return nil }
    self.json = json
    element = scale.element
  }
}

extension JSONList {
  /// The arithmetic that doubles of a list have in common.
  private struct Scale {
    /// The binary digits by which all integers are shifted to the left first, for doubles above
    /// 2^53. They stay in range: see `Double.binaryParts`.
    private var left = 0
    /// The binary digits by which one is shifted to the right, at most. Nil if there are no such
    /// doubles.
    private var right: Int?

    init(of values: [DatabaseValue]) {
      let exponents = values.lazy.compactMap { $0.scaledDouble?.binaryParts.exponent }
      guard var lowest = exponents.first else { return }
      for exponent in exponents {
        left = max(left, exponent)
        lowest = min(lowest, exponent)
      }
      right = left - lowest
    }

    var element: String {
      guard let right else { return JSONKeys.element }
      let left = Double.shifts(left).map { " * \(1 << $0)" }.joined()
      let divisions = Double.shifts(right).indices.map { index in
        #" / (1 << COALESCE("value" ->> \#(index + 1), 0))"#
      }
      return #"CASE "type" WHEN 'array' THEN CAST("value" ->> 0 AS REAL)"# + left
        + divisions.joined() + #" ELSE "value" END"#
    }

    func append(_ value: DatabaseValue, to json: inout [UInt8]) -> Bool {
      switch value.storage {
      case .null: json.append(contentsOf: "null".utf8)
      case .double(let double) where double.isNaN: json.append(contentsOf: "null".utf8)
      case .double(let double) where double.isDecimalExact:
        json.append(contentsOf: value.exactLiteral.utf8)
      case .double(let double):
        let (significand, exponent) = double.binaryParts
        let parts = [Int(significand)] + Double.shifts(left - exponent)
        json.append(contentsOf: "[\(parts.map(String.init).joined(separator: ","))]".utf8)
      case .int64, .string, .blob: return JSONKeys.append(value, to: &json)
      }
      return true
    }
  }
}

extension DatabaseValue {
  /// False for integers that may equal no double, and for texts that may be such an integer.
  fileprivate var isExactDouble: Bool {
    switch storage {
    case .int64(let integer): integer.magnitude <= 1 << 53
    case .string(let text):
      text.utf8.count < 16 || text.utf8.first.map { $0 > UInt8(ascii: "9") } == true
    case .null, .double, .blob: true
    }
  }

  /// A double whose decimal digits might be rounded.
  fileprivate var scaledDouble: Double? {
    guard case .double(let double) = storage, !double.isNaN, !double.isDecimalExact else {
      return nil
    }
    return double
  }
}

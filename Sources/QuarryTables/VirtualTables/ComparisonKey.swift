public import Quarry

/// A value such that two values that SQLite may call equal, whatever affinity applies to the
/// comparison, have the same one.
///
/// `'12'`, `12`, `'12.0'` and `12.0` have the same key. So rows can be looked up by key, and SQLite
/// compares for good: the opposite is not true.
///
/// See <https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison>.
package enum ComparisonKey: Hashable {
  case value(DatabaseValue)
  /// A number that may be equal to others, depending on how it is converted. It has to be compared
  /// with every value.
  case unsure

  package init(_ value: DatabaseValue) {
    switch value.storage {
    case .double(let double): self = Self.hasShortText(double) ? .value(value) : .unsure
    case .string(let text): self = Self.key(of: text)
    default: self = .value(value)
    }
  }

  /// False for doubles that have more digits than their text in SQLite.
  private static func hasShortText(_ double: Double) -> Bool {
    guard double.isFinite, double.magnitude < 1e15 else { return false }
    // No fraction, or few digits.
    return double == double.rounded() || "\(double)".utf8.count <= 15
  }

  private static func key(of text: String) -> ComparisonKey {
    guard let number = trimmedNumber(text) else { return .value(text.databaseValue) }
    if let integer = Int64(number) { return .value(integer.databaseValue) }
    guard number.utf8.count <= 15, !number.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
      let double = Double(number)
    else { return .unsure }
    return .value(double.databaseValue)
  }

  /// The number that a column with the affinity of numbers stores for a text. Nil for a text that
  /// is no number.
  package static func number(_ text: String) -> DatabaseValue? {
    guard let number = trimmedNumber(text) else { return nil }
    if let integer = Int64(number) { return integer.databaseValue }
    return Double(number).map { (SQLiteNumber.double(String(number)) ?? $0).databaseValue }
  }

  /// The text without white space at both ends, if it has the characters of a decimal number.
  private static func trimmedNumber(_ text: String) -> Substring? {
    guard let first = text.utf8.first(where: { !$0.isSpaceOfNumber }), first.beginsNumber else {
      return nil
    }
    var bytes = Substring(text).utf8
    while bytes.first?.isSpaceOfNumber == true { bytes.removeFirst() }
    while bytes.last?.isSpaceOfNumber == true { bytes.removeLast() }
    return bytes.allSatisfy(\.isOfNumber) ? Substring(bytes) : nil
  }
}

extension UInt8 {
  fileprivate var isSpaceOfNumber: Bool { self == 0x20 || 0x09...0x0D ~= self }

  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  fileprivate var beginsNumber: Bool { isDigit || "+-.".utf8.contains(self) }

  fileprivate var isOfNumber: Bool { isDigit || "+-.eE".utf8.contains(self) }
}

extension VirtualTableScan.Condition {
  /// Returns false if the condition is certainly false for a value of its column, by whatever rule
  /// SQLite compares: a row for which it returns true is looked at again by SQLite.
  ///
  /// ```swift
  /// let matches = books.filter { book in
  ///   scan.conditions.allSatisfy { $0.mayHold(for: book.isbn.databaseValue) }
  /// }
  /// ```
  ///
  /// It decides on equality by the collation `BINARY`, on comparisons of numbers with numbers, and
  /// on NULL: it returns true where it knows nothing. Don't choose a constraint of another
  /// collation for it.
  public func mayHold(for value: DatabaseValue) -> Bool {
    switch self.operator {
    case .isNull: return value.isNull
    case .isNotNull: return !value.isNull
    case .is, .isNot, .notEqual, .match, .like, .glob, .regexp: return true
    case .equal: return !value.isNull && values.contains { Self.mayBeEqual(value, $0) }
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: break
    }
    guard !value.isNull, !self.value.isNull else { return false }
    guard value.isNumber, self.value.isNumber, !hasTextAffinity else { return true }
    return self.operator == .lessThan || self.operator == .lessThanOrEqual
      ? !self.value.precedes(value) : !value.precedes(self.value)
  }

  private static func mayBeEqual(_ value: DatabaseValue, _ other: DatabaseValue) -> Bool {
    if other.isNull { return false }
    let (left, right) = (ComparisonKey(value), ComparisonKey(other))
    return left == right || left == .unsure || right == .unsure
  }
}

extension DatabaseValue {
  fileprivate var isNumber: Bool {
    switch storage {
    case .int64, .double: true
    default: false
    }
  }
}

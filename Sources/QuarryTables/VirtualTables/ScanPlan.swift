import Quarry

/// The plan of a scan of a virtual table: the answer to a ``VirtualTableQuery``, in the order of
/// the values.
///
/// SQLite keeps it as a text in the compiled statement, and shows it in `EXPLAIN QUERY PLAN`:
/// `1(),2(),0 IN;;0 DESC;7`.
struct ScanPlan: Equatable {
  struct Use: Equatable {
    var column: Int?
    var `operator`: VirtualTableOperator
    var takesList = false
    /// The value is the argument of a parameter.
    var isArgument = false
  }

  var uses: [Use] = []
  var hasLimit = false
  var hasOffset = false
  var orderings: [VirtualTableQuery.Ordering] = []
  var columnMask: UInt64 = .max
  /// The position of a parameter without argument: the scan throws. The plan can't: SQLite also
  /// asks for plans of parts of a statement.
  var missingColumn: Int?

  var valueCount: Int { uses.count + (hasLimit ? 1 : 0) + (hasOffset ? 1 : 0) }
}

extension ScanPlan {
  var text: String {
    if let missingColumn { return "?\(missingColumn)" }
    let limits = [hasLimit ? "LIMIT" : nil, hasOffset ? "OFFSET" : nil].compactMap { $0 }
    let parts = [
      uses.map(\.text).joined(separator: ","),
      limits.joined(separator: ","),
      orderings.map { "\($0.column ?? -1)\($0.isDescending ? " DESC" : "")" }.joined(
        separator: ","),
      String(columnMask, radix: 16),
    ]
    return parts.joined(separator: ";")
  }

  /// Nil for a text that is not that of a plan.
  init?(text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    self.init()
    if text.hasPrefix("?"), let column = Int(text.dropFirst()) {
      missingColumn = column
      return
    }
    guard parts.count == 4, let mask = UInt64(parts[3], radix: 16) else { return nil }
    for item in parts[0].split(separator: ",") {
      guard let use = Use(text: item) else { return nil }
      uses.append(use)
    }
    hasLimit = parts[1].hasPrefix("LIMIT")
    hasOffset = parts[1].hasSuffix("OFFSET")
    for item in parts[2].split(separator: ",") {
      let words = item.split(separator: " ")
      guard let column = Int(words[0]) else { return nil }
      orderings.append(.init(column: column < 0 ? nil : column, isDescending: words.count > 1))
    }
    columnMask = mask
  }
}

extension ScanPlan.Use {
  fileprivate var text: String {
    "\(column ?? -1)\(isArgument ? "()" : takesList ? " IN" : `operator`.symbol)"
  }

  fileprivate init?(text: Substring) {
    let number = text.prefix { $0 == "-" || $0.isNumber }
    let symbol = text.dropFirst(number.count)
    guard let column = Int(number) else { return nil }
    self.init(column: column < 0 ? nil : column, operator: .equal)
    switch symbol {
    case " IN": takesList = true
    case "()": isArgument = true
    default:
      let found = VirtualTableOperator.allCases.first { $0.symbol == symbol }
      guard let found else { return nil }
      self.operator = found
    }
  }
}

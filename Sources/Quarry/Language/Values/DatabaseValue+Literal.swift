import CSQLite
import Foundation

extension DatabaseValue {
  /// The SQL that reads as the value: `NULL`, `1`, `1.5`, `'O''Brien'`, `X'01FF'`.
  ///
  /// Infinities are written as `9.0e+999`, which reads as an infinity. A value without a literal is
  /// an expression: SQL can't contain a NUL character, `('a' || char(0) || 'b')`, and the few
  /// doubles that SQLite before version 3.47 doesn't read from decimal digits are a division, or a
  /// multiplication, by powers of two.
  ///
  /// Literals are for SQL that is kept as a text, such as a script. Requests have values as
  /// arguments.
  public var sqlLiteral: String {
    switch storage {
    case .string(let text) where !isInvalid && text.utf8.contains(0):
      let parts = text.utf8.split(separator: 0, omittingEmptySubsequences: false)
      return Self.concatenated(parts.map { $0.quoted("'") }[...])
    case .double(let double) where !double.isNaN:
      let text = double.sqlLiteral
      return double.isInfinite || SQLiteNumber.double(text) == double ? text : double.exactLiteral
    default: return quoted
    }
  }

  /// The text of the SQL function `quote()`: the literal, where a text stops at its first NUL
  /// character.
  ///
  /// See <https://www.sqlite.org/lang_corefunc.html#quote>.
  var quoted: String {
    // No function has this name: SQLite rejects the statement.
    if let invalidReason { return "invalid_value(\(invalidReason.quotedDatabaseText))" }
    return switch storage {
    case .null: "NULL"
    case .int64(let int64): int64.description
    case .double(let double): double.sqlLiteral
    case .string(let string): string.utf8.prefix { $0 != 0 }.quoted("'")
    case .blob(let data): Self.hexadecimal(data)
    }
  }

  /// Whether `sqlite3_expanded_sql` writes another value.
  var isChangedInExpandedSQL: Bool {
    switch storage {
    case .double(let double):
      double.isInfinite
        || (!double.isNaN && SQLiteNumber.double(double.shortText) != double)
    case .string(let text): text.utf8.contains(0)
    case .null, .int64, .blob: false
    }
  }

  /// SQL without affinity that reads as the same value in all versions of SQLite, which round
  /// decimal numbers differently.
  var exactLiteral: String {
    if case .double(let double) = storage, !double.isNaN {
      double.exactLiteral
    } else {
      sqlLiteral
    }
  }

  /// Literals with NUL characters between them. Many are halved, since SQLite limits the depth of
  /// expressions: <https://www.sqlite.org/limits.html#max_expr_depth>.
  private static func concatenated(_ literals: ArraySlice<String>) -> String {
    let separator = " || char(0) || "
    guard literals.count > 100 else { return "(\(literals.joined(separator: separator)))" }
    let middle = literals.startIndex + literals.count / 2
    let halves = [concatenated(literals[..<middle]), concatenated(literals[middle...])]
    return "(\(halves.joined(separator: separator)))"
  }

  private static func hexadecimal(_ data: Data) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes = Array("X'".utf8)
    bytes.reserveCapacity(data.count * 2 + 3)
    for byte in data {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Double {
  /// 17 digits at most. Before SQLite 3.53, 15 digits when SQLite reads them back as the same
  /// number, else 21 digits.
  fileprivate var sqlLiteral: String {
    if isNaN { return "NULL" }
    if isInfinite { return self < 0 ? "-9.0e+999" : "9.0e+999" }
    if SQLiteVersion.linked >= SQLiteVersion(3, 53) { return sqliteFormatted("%!.17g") }
    let short = shortText
    return SQLiteNumber.double(short) == self ? short : sqliteFormatted("%!.20e")
  }

  /// 15 digits.
  fileprivate var shortText: String { sqliteFormatted("%!.15g") }

  /// An integer, multiplied with or divided by powers of two: no step rounds.
  fileprivate var exactLiteral: String {
    if isDecimalExact { return isInfinite ? sqlLiteral : sqliteFormatted("%!.1f") }
    let (significand, exponent) = binaryParts
    let operation = exponent < 0 ? "/" : "*"
    let steps = Double.shifts(abs(exponent)).map { " \(operation) \(1 << $0)" }
    return "(CAST(\(significand) AS REAL)\(steps.joined()))"
  }

  /// The digits beyond the 15th are those of SQLite's own arithmetic, which changed from version to
  /// version.
  ///
  /// See <https://www.sqlite.org/printf.html>.
  private func sqliteFormatted(_ format: String) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      unsafe withVaList([self]) { arguments in
        _ = unsafe sqlite3_vsnprintf(CInt(buffer.count), buffer.baseAddress, format, arguments)
      }
      return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
  }
}

import Foundation

extension DatabaseFunction {
  /// Regular expressions for the operator `REGEXP`, which SQLite leaves to applications.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.prepareDatabase { db in db.add(function: .regexp) }
  ///
  /// // SELECT * FROM "player" WHERE "email" REGEXP ?
  /// Player.filter(Column("email").regexp("^[a-z.]+@example[.]com$"))
  /// ```
  ///
  /// A string matches if some part of it does: `^` and `$` stand for its ends. `(?i)` at the start
  /// of a pattern ignores case. The syntax is that of `NSRegularExpression`. Numbers are matched as
  /// text; the result is NULL if an operand is. The statement throws for a pattern that is no
  /// regular expression. Patterns are compiled once, not once per row.
  ///
  /// See <https://www.sqlite.org/lang_expr.html#the_like_glob_regexp_match_and_extract_operators>.
  public static let regexp = DatabaseFunction("regexp", argumentCount: 2, pure: true) { arguments in
    guard let pattern = text(arguments[0]), let subject = text(arguments[1]) else { return nil }
    let expression = try expressions.withLock { expressions in
      try expressions.value(BinaryText(pattern)) { try compile(pattern) }
    }
    let range = NSRange(location: 0, length: subject.utf16.count)
    return expression.firstMatch(in: subject, range: range) != nil
  }

  /// The compiled patterns of all connections.
  private static let expressions = Locked(
    RecentValues<BinaryText, NSRegularExpression>(capacity: 100))

  private static func compile(_ pattern: String) throws -> NSRegularExpression {
    do {
      // Foundation refuses the empty pattern, which matches any string.
      return try NSRegularExpression(pattern: pattern.isEmpty ? "(?:)" : pattern)
    } catch {
      throw DatabaseError(message: "Invalid regular expression: \(pattern)")
    }
  }

  private static func text(_ value: DatabaseValue) -> String? {
    switch value.storage {
    case .null: nil
    case .int64(let number): String(number)
    case .double(let number): String(number)
    case .string, .blob: String.fromDatabaseValue(value)
    }
  }
}

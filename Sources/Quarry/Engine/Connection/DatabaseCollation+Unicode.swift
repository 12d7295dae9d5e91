import Foundation

extension DatabaseCollation {
  /// The order of Swift strings: `swiftCompare` in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "name" COLLATE swiftCompare
  /// Player.order(Column("name").collating(.unicodeCompare))
  /// ```
  ///
  /// Texts that Unicode considers as the same, such as `é` in one or in two scalars, are equal.
  public static let unicodeCompare = DatabaseCollation("swiftCompare") { left, right in
    left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
  }

  /// The order of strings without regard to case: `swiftCaseInsensitiveCompare` in SQL.
  ///
  /// See ``unicodeCompare``.
  public static let caseInsensitiveCompare =
    DatabaseCollation("swiftCaseInsensitiveCompare") { $0.caseInsensitiveCompare($1) }

  /// The order of the current locale, without regard to case:
  /// `swiftLocalizedCaseInsensitiveCompare` in SQL.
  ///
  /// It depends on the locale of the process: don't store it in an index. See ``unicodeCompare``.
  public static let localizedCaseInsensitiveCompare =
    DatabaseCollation("swiftLocalizedCaseInsensitiveCompare") {
      $0.localizedCaseInsensitiveCompare($1)
    }

  /// The order of the current locale: `swiftLocalizedCompare` in SQL.
  ///
  /// It depends on the locale of the process: don't store it in an index. See ``unicodeCompare``.
  public static let localizedCompare =
    DatabaseCollation("swiftLocalizedCompare") { $0.localizedCompare($1) }

  /// The order of the current locale for people, `file 2` before `file 10`:
  /// `swiftLocalizedStandardCompare` in SQL.
  ///
  /// It depends on the locale of the process: don't store it in an index. See ``unicodeCompare``.
  public static let localizedStandardCompare =
    DatabaseCollation("swiftLocalizedStandardCompare") { $0.localizedStandardCompare($1) }
}

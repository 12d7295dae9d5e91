import Foundation

extension DatabaseFunction {
  /// `String.capitalized` in SQL: `swiftCapitalizedString`.
  ///
  /// ```swift
  /// // SELECT swiftCapitalizedString("name") FROM "player"
  /// Player.select(DatabaseFunction.capitalize(Column("name")))
  /// ```
  ///
  /// The value is NULL for what is no text.
  public static let capitalize = string("swiftCapitalizedString") { $0.capitalized }

  /// `String.lowercased()` in SQL: `swiftLowercaseString`. The value is NULL for what is no text.
  public static let lowercase = string("swiftLowercaseString") { $0.lowercased() }

  /// `String.uppercased()` in SQL: `swiftUppercaseString`. The value is NULL for what is no text.
  public static let uppercase = string("swiftUppercaseString") { $0.uppercased() }

  /// `String.localizedCapitalized` in SQL: `swiftLocalizedCapitalizedString`.
  ///
  /// The value is NULL for what is no text. It depends on the locale of the process: don't store it
  /// in an index.
  public static let localizedCapitalize =
    string("swiftLocalizedCapitalizedString") { $0.localizedCapitalized }

  /// `String.localizedLowercase` in SQL: `swiftLocalizedLowercaseString`. See
  /// ``localizedCapitalize``.
  public static let localizedLowercase =
    string("swiftLocalizedLowercaseString") { $0.localizedLowercase }

  /// `String.localizedUppercase` in SQL: `swiftLocalizedUppercaseString`. See
  /// ``localizedCapitalize``.
  public static let localizedUppercase =
    string("swiftLocalizedUppercaseString") { $0.localizedUppercase }

  private static func string(
    _ name: String, _ transform: @escaping @Sendable (String) -> String
  ) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 1, pure: true, trust: .innocuous) { arguments in
      String.fromDatabaseValue(arguments[0]).map(transform)
    }
  }
}

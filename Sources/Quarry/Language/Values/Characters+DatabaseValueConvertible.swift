/// The shared conversions of parts of strings: all are stored as texts.
public protocol _DatabaseText: DatabaseValueConvertible, StatementColumnConvertible {
  /// Creates a value from a text, or returns nil when the text is no such value.
  init?(databaseText: String)

  /// The text to store.
  var databaseText: String { get }
}

extension _DatabaseText {
  /// Decodes the column at an index, or returns nil when the text is no such value.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard let text = unsafe String.fromStatement(sqliteStatement, atUncheckedIndex: index) else {
      return nil
    }
    self.init(databaseText: text)
  }

  /// The text to store.
  public var databaseValue: DatabaseValue { databaseText.databaseValue }

  /// Returns the value of a text, or of a blob that is valid UTF-8, or nil when the text is no such
  /// value.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    String.fromDatabaseValue(dbValue).flatMap { Self(databaseText: $0) }
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Self? {
    String._fromColumn(dbValue).flatMap { Self(databaseText: $0) }
  }
}

extension Character: _DatabaseText {
  /// Creates a character from a text, or returns nil when the text has none, or several.
  public init?(databaseText: String) {
    guard let character = databaseText.first, databaseText.dropFirst().isEmpty else { return nil }
    self = character
  }

  /// The text to store.
  public var databaseText: String { String(self) }
}

extension Unicode.Scalar: _DatabaseText {
  /// Creates a scalar from a text, or returns nil when the text has none, or several.
  public init?(databaseText: String) {
    let scalars = databaseText.unicodeScalars
    guard let scalar = scalars.first, scalars.dropFirst().isEmpty else { return nil }
    self = scalar
  }

  /// The text to store.
  public var databaseText: String { String(self) }
}

extension Substring: _DatabaseText {
  /// Creates a substring of a whole text.
  public init(databaseText: String) { self = databaseText[...] }

  /// The text to store.
  public var databaseText: String { String(self) }
}

extension Database {
  /// The declared type of a column.
  ///
  /// ```swift
  /// t.column("title", .text)                             // "title" TEXT
  /// t.column("isbn", Database.ColumnType(rawValue: "VARCHAR(13)"))
  /// ```
  ///
  /// See <https://www.sqlite.org/datatype3.html>.
  public struct ColumnType: RawRepresentable, Hashable, Sendable {
    /// The SQL of the type.
    public let rawValue: String

    /// Creates a column type from its SQL.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `TEXT`
    public static let text = ColumnType(rawValue: "TEXT")

    /// `TEXT`, for JSON.
    public static let jsonText = ColumnType(rawValue: "TEXT")

    /// `BLOB`, for JSON in SQLite's binary format.
    public static let jsonb = ColumnType(rawValue: "BLOB")

    /// `INTEGER`
    public static let integer = ColumnType(rawValue: "INTEGER")

    /// `DOUBLE`
    public static let double = ColumnType(rawValue: "DOUBLE")

    /// `REAL`
    public static let real = ColumnType(rawValue: "REAL")

    /// `NUMERIC`
    public static let numeric = ColumnType(rawValue: "NUMERIC")

    /// `BOOLEAN`
    public static let boolean = ColumnType(rawValue: "BOOLEAN")

    /// `BLOB`
    public static let blob = ColumnType(rawValue: "BLOB")

    /// `DATE`
    public static let date = ColumnType(rawValue: "DATE")

    /// `DATETIME`
    public static let datetime = ColumnType(rawValue: "DATETIME")

    /// `ANY`, which keeps values as they are in strict tables.
    public static let any = ColumnType(rawValue: "ANY")
  }
}

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
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

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

  /// The storage classes of values, as `CAST` names them.
  ///
  /// See <https://www.sqlite.org/datatype3.html#storage_classes_and_datatypes>.
  public struct StorageClass: RawRepresentable, Hashable, Sendable {
    /// The SQL of the storage class.
    public let rawValue: String

    /// Creates a storage class from its SQL.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// `INTEGER`
    public static let integer = StorageClass(rawValue: "INTEGER")

    /// `REAL`
    public static let real = StorageClass(rawValue: "REAL")

    /// `TEXT`
    public static let text = StorageClass(rawValue: "TEXT")

    /// `BLOB`
    public static let blob = StorageClass(rawValue: "BLOB")
  }

  /// The name of a collation: a way to compare strings.
  ///
  /// See <https://www.sqlite.org/datatype3.html#collation>.
  public struct CollationName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a collation name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// `BINARY`: strings are compared by bytes.
    public static let binary = CollationName(rawValue: "BINARY")

    /// `NOCASE`: the 26 Latin capitals are equal to their lower-case letters.
    public static let nocase = CollationName(rawValue: "NOCASE")

    /// `RTRIM`: trailing spaces are ignored.
    public static let rtrim = CollationName(rawValue: "RTRIM")
  }

  /// The conflict resolution algorithm of a violated constraint.
  ///
  /// See <https://www.sqlite.org/lang_conflict.html>.
  public enum ConflictResolution: String, Hashable, Sendable {
    /// The whole transaction is rolled back.
    case rollback = "ROLLBACK"

    /// The statement fails, and its changes are undone.
    case abort = "ABORT"

    /// The statement fails, and its earlier changes stay.
    case fail = "FAIL"

    /// The row is skipped.
    case ignore = "IGNORE"

    /// The rows that stand in the way are deleted.
    case replace = "REPLACE"
  }

  /// The action on a row when the row that it references is deleted or changes its key.
  ///
  /// See <https://www.sqlite.org/foreignkeys.html#fk_actions>.
  public enum ForeignKeyAction: String, Hashable, Sendable {
    /// The row is deleted, or follows the new key.
    case cascade = "CASCADE"

    /// The change is refused at once.
    case restrict = "RESTRICT"

    /// The foreign key becomes NULL.
    case setNull = "SET NULL"

    /// The foreign key becomes the default values of its columns.
    case setDefault = "SET DEFAULT"
  }
}

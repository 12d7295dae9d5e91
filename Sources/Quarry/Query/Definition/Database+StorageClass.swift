extension Database {
  /// The storage classes of values, as `CAST` names them.
  ///
  /// See <https://www.sqlite.org/datatype3.html#storage_classes_and_datatypes>.
  public struct StorageClass: RawRepresentable, Hashable, Sendable {
    /// The SQL of the storage class.
    public let rawValue: String

    /// Creates a storage class from its SQL.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `INTEGER`
    public static let integer = StorageClass(rawValue: "INTEGER")

    /// `REAL`
    public static let real = StorageClass(rawValue: "REAL")

    /// `TEXT`
    public static let text = StorageClass(rawValue: "TEXT")

    /// `BLOB`
    public static let blob = StorageClass(rawValue: "BLOB")
  }
}

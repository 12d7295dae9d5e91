/// An index on columns of a table.
///
/// ```swift
/// for index in try db.indexes(on: "book") where index.isUnique {
///   print(index.name, index.columns)
/// }
/// ```
///
/// See <https://www.sqlite.org/pragma.html#pragma_index_list>.
public struct IndexInfo: Sendable {
  /// Where an index comes from.
  public struct Origin: RawRepresentable, Equatable, DatabaseValueConvertible, Sendable {
    /// `c`, `u`, or `pk`.
    public var rawValue: String

    /// Creates an origin from SQLite's code for it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A `CREATE INDEX` statement.
    public static let createIndex = Origin(rawValue: "c")

    /// A `UNIQUE` constraint.
    public static let uniqueConstraint = Origin(rawValue: "u")

    /// A `PRIMARY KEY` constraint.
    public static let primaryKeyConstraint = Origin(rawValue: "pk")
  }

  /// The name of the index.
  public let name: String

  /// The indexed columns, in index order.
  public let columns: [String]

  /// True if the index forbids duplicates.
  public let isUnique: Bool

  /// Where the index comes from.
  public let origin: Origin

  /// Some rows may be missing from the index: see <https://www.sqlite.org/partialindex.html>.
  package let isPartial: Bool
}

/// A difference between a record type, or an association, and the schema of a database.
///
/// See `Database.schemaDifferences(of:associations:)`.
public struct SchemaDifference: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of differences.
  public enum Kind: Hashable, Sendable {
    /// The table or view does not exist.
    case missingTable

    /// The record has a property without column.
    case missingColumn

    /// The property can't be nil, and the column may be NULL: some rows may not be decoded.
    case nullableColumn

    /// The property can be nil, and the column can't be NULL: some records may not be saved.
    case requiredColumn

    /// The column can't be NULL, has no default value, and is no property of the record: records
    /// can't be inserted.
    case unwrittenColumn

    /// The selection of the record type is not valid SQL.
    case invalidSelection

    /// The foreign key of an association is missing, or ambiguous.
    case missingForeignKey

    /// The foreign key of an association is not declared in the schema: nothing enforces it.
    case undeclaredForeignKey

    /// The columns of the foreign key of an association have no index: joins scan the table.
    case missingIndex

    /// A request includes an association whose key is that of no property: nothing decodes its
    /// rows.
    case unusedAssociation

    /// A property of a record may be any of several records of a request: decoding it is an error.
    case ambiguousAssociation
  }

  /// The kind of the difference.
  public let kind: Kind

  /// The name of the record type.
  public let recordType: String

  /// The table or view.
  public let table: String

  /// The columns at fault.
  public let columns: [String]

  /// The difference in words.
  public let description: String
}

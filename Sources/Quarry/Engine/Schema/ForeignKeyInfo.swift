/// A foreign key of a table.
///
/// ```swift
/// for foreignKey in try db.foreignKeys(on: "book") {
///   // author [(origin: "authorId", destination: "id")]
///   print(foreignKey.destinationTable, foreignKey.mapping)
/// }
/// ```
///
/// See <https://www.sqlite.org/pragma.html#pragma_foreign_key_list>.
public struct ForeignKeyInfo: Sendable {
  /// SQLite's number for the foreign key, unique in its table.
  public var id: Int

  /// The table that is referenced.
  public let destinationTable: String

  /// The columns of the foreign key, each with the column that it references.
  public let mapping: [(origin: String, destination: String)]

  /// The columns of the foreign key.
  public var originColumns: [String] {
    mapping.map(\.origin)
  }

  /// The columns that are referenced.
  public var destinationColumns: [String] {
    mapping.map(\.destination)
  }

  init(id: Int, destinationTable: String, mapping: [(origin: String, destination: String)]) {
    self.id = id
    self.destinationTable = destinationTable
    self.mapping = mapping
  }
}

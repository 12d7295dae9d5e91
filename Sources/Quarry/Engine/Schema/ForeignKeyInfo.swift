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

  /// The columns of the foreign key, each with the column that it references. Empty where it names
  /// no columns of its table, and there is no such table.
  public let mapping: [(origin: String, destination: String)]

  /// The columns of the foreign key.
  public let originColumns: [String]

  /// The columns that are referenced. Empty where ``mapping`` is.
  public var destinationColumns: [String] { mapping.map(\.destination) }

  /// - parameter originColumns: Nil for those of the mapping.
  init(
    id: Int, destinationTable: String, mapping: [(origin: String, destination: String)],
    originColumns: [String]? = nil
  ) {
    self.id = id
    self.destinationTable = destinationTable
    self.mapping = mapping
    self.originColumns = originColumns ?? mapping.map(\.origin)
  }
}

extension ForeignKeyInfo {
  /// `from book(authorId) to author(id)`
  func description(from table: String) -> String {
    let origin = Self.reference(table, originColumns)
    return "from \(origin) to \(Self.reference(destinationTable, destinationColumns))"
  }

  /// `author(id)`, or `author` where no columns are known.
  static func reference(_ table: String, _ columns: [String]) -> String {
    columns.isEmpty ? table : "\(table)(\(columns.joined(separator: ", ")))"
  }
}

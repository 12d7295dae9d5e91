/// A column of a primary key that has another collation in the index of the key than in the table.
/// No two rows are equal by that of the index.
///
/// See <https://www.sqlite.org/lang_createtable.html#uniqueconst>.
package struct KeyCollation {
  package let column: String
  /// The collation of the index.
  package let collation: String
  /// Whether the column takes texts for equal that the index may tell apart.
  package let columnIsLooser: Bool
}

extension Database {
  /// The columns of a primary key that its index compares by another collation than they declare.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_index_xinfo>.
  package func keyCollations(of table: DatabaseObjectID) throws -> [KeyCollation] {
    let indexes = try rows(ofPragma: "index_list", table)
    let index = try indexes.first { try $0.decode(String.self, forColumn: "origin") == "pk" }
    guard let name = try index?.decode(String.self, forColumn: "name") else { return [] }
    let id = DatabaseObjectID(name: name, schemaID: table.schemaID)
    return try rows(ofPragma: "index_xinfo", id).compactMap { row in
      guard try row.decode(Bool.self, forColumn: "key"),
        let column = try row.decode(String?.self, forColumn: "name")
      else { return nil }
      let indexed = try row.decode(String.self, forColumn: "coll")
      let declared = try collation(ofColumn: column, in: table) ?? "BINARY"
      if declared.isSameIdentifier(as: indexed) { return nil }
      return KeyCollation(
        column: column, collation: indexed,
        columnIsLooser: !declared.isSameIdentifier(as: "BINARY"))
    }
  }
}

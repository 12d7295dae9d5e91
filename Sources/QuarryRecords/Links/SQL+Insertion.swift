import Quarry

extension SQL {
  /// `INSERT INTO "bookGenre" ("bookId", "genreId") VALUES (?,?),(?,?)`
  ///
  /// - parameter aborts: whether `OR ABORT` overrides the clauses `ON CONFLICT` of the table.
  static func insertion(
    into table: String, _ columns: [String], _ rows: [[DatabaseValue]], aborts: Bool = false
  ) -> SQL {
    let conflict = aborts ? "OR ABORT " : ""
    let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ",") + ")"
    return "INSERT \(sql: conflict)INTO \(Table<Row>(table)) "
      + SQL(
        sql: "(\(columns.quotedDatabaseIdentifiers)) VALUES "
          + rows.map { _ in row }.joined(separator: ","),
        arguments: StatementArguments(rows.joined()))
  }
}

import Quarry

extension SQL {
  /// `INSERT INTO "bookGenre" ("bookId", "genreId") VALUES (?,?),(?,?)`
  static func insertion(
    into table: String, _ columns: [String], _ rows: [[DatabaseValue]]
  ) -> SQL {
    let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ",") + ")"
    return "INSERT INTO \(Table<Row>(table)) "
      + SQL(
        sql: "(\(columns.quotedDatabaseIdentifiers)) VALUES "
          + rows.map { _ in row }.joined(separator: ","),
        arguments: StatementArguments(rows.joined()))
  }
}

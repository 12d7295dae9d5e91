import Quarry
import QuarryTestSupport
import Testing

/// Searches that are fetched again.
@Suite(.needs(.fullText), .timeLimit(.minutes(10))) struct FullTextValueTests {
  private let pattern = FTS5Pattern(matchingAllTokensIn: "sea")

  private func values(
    _ kind: ConnectionKind, _ module: IndexModule,
    _ search: @escaping @Sendable (Database) throws -> [String], _ statements: [String]
  ) async throws -> [[String]] {
    try await kind.withShop { writer async throws in
      try writer.writeNow { db in try db.createTitleIndex(module) }
      let report = Report<[String]>()
      let cancellable = ValueObservation.tracking(search).record(in: writer, into: report)
      defer { cancellable.cancel() }
      try await report.values.first(1)
      for (index, sql) in statements.enumerated() {
        try writer.run(sql)
        try await report.values.first(index + 2)
      }
      return report.values.elements
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool, IndexModule.allCases)
  func `the matches of an index are fetched again when it changes`(
    kind: ConnectionKind, module: IndexModule
  ) async throws {
    let pattern = pattern
    let values = try await values(
      kind, module,
      { db in
        let matching = Table("ft").matching(pattern).order(Column.rowID)
        return try matching.select(Column("title"), as: String.self).fetchAll(db)
      },
      [
        "INSERT INTO book (title) VALUES ('Old Man and Sea'), ('Hill')",
        "UPDATE book SET title = 'Sea ' || title WHERE title = 'Hill'", "DELETE FROM book",
      ])
    #expect(values == [[], ["Old Man and Sea"], ["Old Man and Sea", "Sea Hill"], []])
  }

  @Test(arguments: ConnectionKind.queueAndPool, IndexModule.allCases)
  func `the books of an index are fetched again when they change`(
    kind: ConnectionKind, module: IndexModule
  ) async throws {
    let values = try await values(
      kind, module,
      { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT country FROM book
            JOIN ft ON ft.rowid = book.id JOIN author ON author.id = authorId
            WHERE ft MATCH 'sea' ORDER BY book.id
            """)
      },
      [
        "INSERT INTO author VALUES (1, 'Ann', 'FR')",
        "INSERT INTO book (title, authorId) VALUES ('Sea', 1)",
        "UPDATE author SET country = 'IT'", "DELETE FROM author",
      ])
    #expect(values == [[], [], ["FR"], ["IT"], []])
  }
}

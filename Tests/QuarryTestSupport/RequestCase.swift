public import Testing

@testable public import Quarry

/// A request and its expected SQL: a line of a table of rendering rules.
///
/// ```swift
/// RequestCase(Book.filter(id: 1), #"SELECT * FROM "book" WHERE "id" = ?"#, [1])
/// RequestCase(recent.all(), #"SELECT * FROM "recent""#, refused: "no such table: recent")
/// ```
public struct RequestCase: Sendable, CustomTestStringConvertible {
  /// The request.
  public let request: SQLSubquery

  /// The expected SQL.
  public let expected: RenderedSQL

  /// The message of SQLite, when the bookshop database can't run the SQL.
  public let refusal: String?

  /// A request and its expected SQL.
  public init(
    _ request: some SQLSubqueryable, _ sql: String, _ arguments: StatementArguments = [],
    refused refusal: String? = nil
  ) {
    self.request = request.sqlSubquery
    expected = RenderedSQL(sql, arguments)
    self.refusal = refusal
  }

  /// The expected SQL.
  public var testDescription: String { expected.description }

  /// Compares the SQL of the request for the literal schema, and for the bookshop database, which
  /// runs it then.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try sql(of: request) == expected, sourceLocation: sourceLocation)
    let outcome = try SharedBookshop.read { db in
      (try sql(of: request, in: db), try message(of: expected, in: db))
    }
    #expect(outcome.0 == expected, "for the bookshop database", sourceLocation: sourceLocation)
    #expect(outcome.1 == refusal, sourceLocation: sourceLocation)
  }

  /// The message of the error that stops the statement, which is run to its last row.
  private func message(of statement: RenderedSQL, in db: Database) throws -> String? {
    do {
      _ = try Row.fetchAll(db, sql: statement.sql, arguments: statement.arguments)
      return nil
    } catch let error as DatabaseError {
      return error.message
    }
  }
}

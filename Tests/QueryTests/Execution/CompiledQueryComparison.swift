import QuarryTestSupport

@testable import Quarry

/// What a connection makes of a request: SQL, arguments, rows and regions, or errors.
struct QueryOutcome: Equatable, CustomStringConvertible {
  let parts: [String]

  /// Random joins may have millions of rows, which are not fetched.
  private static let rowLimit = 20_000

  init(_ request: some FetchRequest<Row>, _ db: Database) {
    let count = Result { try request.fetchCount(db) }
    func fetchAll() throws -> [Row] {
      if case .success(let count) = count, count > Self.rowLimit { return [] }
      return try request.fetchAll(db)
    }
    parts = [
      Self.text { try sql(of: request, in: db).description },
      Self.text { try fetchAll().map(\.debugDescription).joined(separator: "\n") },
      Self.text { try request.fetchOne(db)?.debugDescription ?? "no row" },
      Self.text { "\(try count.get())" },
      Self.text { "\(try request.databaseRegion(db))" },
      Self.text { try db.observedRegion { try fetchAll() } },
      Self.text { try db.observedRegion { try request.fetchOne(db) } },
      Self.text { try db.observedRegion { try request.fetchCount(db) } },
    ]
  }

  private static func text(_ body: () throws -> String) -> String {
    do { return try body() } catch { return "error: \(error)" }
  }

  var description: String { parts.joined(separator: "\n") }
}

extension Database {
  /// The region that an observation of a fetch would watch: without the tables of SQLite, which are
  /// read whenever the schema is not known yet.
  func observedRegion<T>(_ fetch: () throws -> T) throws -> String {
    try recordRegion(fetch).1.observed(in: self).description
  }

  /// Calls `body` while every request is compiled.
  func compilingAll<T>(_ body: () throws -> T) rethrows -> T {
    compiledQueries.isEnabled = false
    defer { compiledQueries.isEnabled = true }
    return try body()
  }

  /// The outcomes of requests that are remembered and of others that are not, where they differ.
  func differences(_ requests: [any FetchRequest<Row>]) -> [String] {
    requests.compactMap { request in
      let expected = compilingAll { QueryOutcome(request, self) }
      let outcome = QueryOutcome(request, self)
      return outcome == expected ? nil : "\(outcome)\n--- expected:\n\(expected)"
    }
  }
}

import QuarryTestSupport
import Testing

@testable import Quarry

/// A generated column changes with the columns that it is computed from, and SQLite announces the
/// update of those only.
///
/// See <https://www.sqlite.org/gencol.html>.
@Suite struct GeneratedColumnTests {
  private func withLines<T>(_ storage: String, _ body: (Database) throws -> T) throws -> T {
    try withShop { db in
      try db.execute(
        sql: """
          CREATE TABLE line (
            id INTEGER PRIMARY KEY, price INTEGER, note TEXT,
            gross INTEGER GENERATED ALWAYS AS (price * 2) \(storage),
            label TEXT AS (gross || note) \(storage));
          INSERT INTO line (id, price, note) VALUES (1, 100, 'a');
          """)
      return try body(db)
    }
  }

  @Test(arguments: ["VIRTUAL", "STORED"])
  func `a region of generated columns changes with the others`(storage: String) throws {
    try withLines(storage) { db throws in
      let requests: [any DatabaseRegionConvertible] = [
        SQLRequest<Int>(sql: "SELECT SUM(gross) FROM line"),
        Table("line").filter(Column("gross") > 100).select(Column("id")),
        Table("line").select(Column("label")).filter(key: 1),
      ]
      let statements = [
        "UPDATE line SET price = price + 1", "UPDATE OR REPLACE line SET price = 3 WHERE id = 1",
        "INSERT INTO line (id, price) VALUES (1, 7) ON CONFLICT (id) DO UPDATE SET price = 9",
        "UPDATE book SET price = 1",
      ]
      for request in requests {
        let region = AnyDatabaseRegionConvertible { try request.databaseRegion($0) }
        #expect(try notifications(region, in: db, statements) == [1, 1, 1, 0])
      }
      let prices = Table("line").select(Column("price"))
      // Without the preupdate hook, any update may have set the rowid.
      let count = SQLiteFeature.preUpdateHook.isAvailable ? 0 : 1
      #expect(try notifications(prices, in: db, ["UPDATE line SET note = 'b'"]) == [count])
    }
  }

  /// The first statement of such a transaction can't read the schema.
  @Test func `a deferred transaction announces generated columns`() throws {
    try withLines("VIRTUAL") { db throws in
      let log = EventLog()
      log.wants = { kind in
        if case .update(_, let columns) = kind {
          columns == ["note", "gross", "label"]
        } else {
          false
        }
      }
      db.add(transactionObserver: log)
      db.clearSchemaCache()
      try db.execute(sql: "BEGIN; UPDATE line SET note = 'b'; COMMIT")
      #expect(log.take() == ["update line 1", "willCommit", "didCommit"])
    }
  }

  @Test func `no generated column is forgotten where a query of the schema is interrupted`() throws
  {
    try withLines("VIRTUAL") { db throws in
      let log = EventLog()
      log.wants = { kind in
        if case .update(_, let columns) = kind { columns.contains("gross") } else { false }
      }
      db.add(transactionObserver: log)
      let statement = try db.makeStatement(sql: "UPDATE line SET price = price + 1")
      db.trace { event in
        if event.description.contains("xinfo") { db.interrupt() }
      }
      let error = databaseError { try statement.execute() }
      db.trace()
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      #expect(log.take() == [])
      try statement.execute()
      #expect(log.take() == ["update line 1", "willCommit", "didCommit"])
    }
  }

  @Test(arguments: ["VIRTUAL", "STORED"])
  func `kinds of updates have the generated columns`(storage: String) throws {
    try withLines(storage) { db throws in
      let log = EventLog()
      log.asks = true
      log.wants = { kind in
        if case .update(_, let columns) = kind { columns.contains("gross") } else { false }
      }
      let lines = try db.log("UPDATE line SET price = 5", "UPDATE book SET price = 1", of: log)
      #expect(
        lines == [
          #"update(line, ["gross", "label", "price"])?"#, "update line 1", "willCommit",
          "didCommit", #"update(book, ["price"])?"#, "willCommit", "didCommit",
        ])
      let region = try db.makeStatement(sql: "SELECT gross FROM line").databaseRegion
      #expect(region.description == "line(gross)")
    }
  }

  @Test func `kinds follow the schema, and the schemas that have a table of the name`() throws {
    try withShop { db throws in
      let log = EventLog()
      log.asks = true
      log.wants = { _ in false }
      let update = "UPDATE main.country SET name = 'x'"
      let statement = try db.makeStatement(sql: update)
      db.add(transactionObserver: log)
      func asked() throws -> String {
        _ = log.take()
        try statement.execute()
        return log.take().filter { $0.hasSuffix("?") }.joined()
      }
      #expect(try asked() == #"update(country, ["name"])?"#)
      try db.execute(sql: "ALTER TABLE country ADD COLUMN upper TEXT AS (upper(name))")
      #expect(try asked() == #"update(country, ["name", "upper"])?"#)
      try db.execute(sql: "CREATE TEMP TABLE country (a, b AS (a))")
      #expect(try asked() == #"update(country, ["b", "name", "upper"])?"#)
      try db.notifyChanges(in: Table("book").select(Column("title")))
      #expect(log.take().last == #"update(book, ["title"])?"#)
    }
  }

  @Test func `reported changes have the generated columns`() throws {
    try withLines("VIRTUAL") { db throws in
      let gross = Table("line").select(Column("gross"))
      let reported = try notifications(
        gross, in: db,
        of: [
          { db in
            try db.notifyChanges(in: Table("line").select(Column("price")))
            try db.execute(sql: "BEGIN; COMMIT")
          }
        ])
      #expect(reported == [1])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a value computed from a generated column is fetched again`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      try writer.run("CREATE TABLE line (id INTEGER PRIMARY KEY, a INTEGER, b AS (a + 1))")
      try writer.run("INSERT INTO line VALUES (1, 1)")
      let report = Report<Int>()
      let observation = ValueObservation.trackingConstantRegion { db in
        try Int.fetchOne(db, sql: "SELECT SUM(b) FROM line") ?? 0
      }
      let cancellable = observation.removeDuplicates().record(in: writer, into: report)
      try await report.values.first(1)
      try writer.run("UPDATE line SET a = 5")
      #expect(try await report.values.first(2) == [2, 6])
      cancellable.cancel()
    }
  }
}

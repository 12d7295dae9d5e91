import Foundation
import QuarryTables
import QuarryTestSupport
import Testing

@testable import Quarry

/// Virtual tables of Swift code: what is observed of them.
@Suite struct VirtualTableEventTests {
  private func withLoans<T>(
    hasPrimaryKey: Bool = false, _ body: (Database) throws -> T
  ) throws -> T {
    try withShop { db in
      try db.register(table: "loan", Loans(hasPrimaryKey: hasPrimaryKey))
      return try body(db)
    }
  }

  @Test func `the changes of a table that can be written to are events`() throws {
    try withLoans { db throws in
      let ends = ["willCommit", "didCommit"]
      let insertion = "INSERT INTO loan VALUES ('111', 7), ('222', 30)"
      #expect(try db.log(insertion) == ["insert loan 1", "insert loan 2"] + ends)
      #expect(try db.log("UPDATE loan SET days = 8 WHERE isbn = '111'") == ["update loan 1"] + ends)
      #expect(try db.log("UPDATE loan SET rowid = 5 WHERE rowid = 2") == ["update loan 5"] + ends)
      #expect(try db.log("DELETE FROM loan") == ["delete loan 1", "delete loan 5"] + ends)
      let log = EventLog()
      log.wants = { $0.tableName == "book" }
      #expect(try db.log(insertion, of: log) == ends)
    }
  }

  @Test func `events of a table that was created have its schema`() throws {
    try withShop { db throws in
      let loans = Loans()
      try db.register(module: "loans") { _ in loans }
      try db.execute(sql: "ATTACH ':memory:' AS att; CREATE VIRTUAL TABLE att.Loan USING loans")
      let names = Log<String>()
      final class Names: TransactionObserver {
        let names: Log<String>
        init(_ names: Log<String>) { self.names = names }
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {
          names.append("\(event.databaseName).\(event.tableName)")
        }
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
      }
      let observer = Names(names)
      db.add(transactionObserver: observer)
      try db.execute(sql: "INSERT INTO loan VALUES ('111', 7)")
      db.remove(transactionObserver: observer)
      #expect(names.elements == ["att.Loan"])
    }
  }

  @Test func `what a failing statement has changed is no event`() throws {
    try withLoans { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO loan VALUES ('111', 7), ('222', 0)")
      }
      #expect(log.take().filter { $0.contains("loan") } == [])
      db.remove(transactionObserver: log)
    }
  }

  @Test(arguments: [false, true])
  func `a region is notified of the changes of its columns`(hasPrimaryKey: Bool) throws {
    try withLoans(hasPrimaryKey: hasPrimaryKey) { db throws in
      let region = SQLRequest<Row>(sql: "SELECT days FROM loan")
      let insertion = "INSERT INTO loan VALUES ('111', 7)"
      let notified = try notifications(
        region, in: db,
        [
          insertion, "UPDATE loan SET days = 8", "UPDATE loan SET days = 9 WHERE isbn = '9'",
          "INSERT INTO note VALUES ('a')", "DELETE FROM loan", "BEGIN; \(insertion); ROLLBACK",
          "BEGIN; SAVEPOINT a; \(insertion); ROLLBACK TO a; COMMIT",
        ])
      #expect(notified == [1, 1, 0, 0, 1, 0, 0])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a value is fetched again when a virtual table changes`(kind: ConnectionKind) async throws {
    let loans = Loans()
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.register(table: "loan", loans) }
    try await kind.withShop(configuration) { writer async throws in
      let report = Report<Int>()
      let observation = ValueObservation.tracking { db in try db.count("loan") }
      let cancellable = observation.record(in: writer, into: report)
      try await report.values.first(1)
      try writer.run("INSERT INTO loan VALUES ('111', 7), ('222', 30)")
      #expect(try await report.values.first(2) == [0, 2])
      cancellable.cancel()
    }
  }

  @Test func `virtual tables have regions, as all tables`() throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/loans.csv"
      try Data("isbn,days\n111,7\n".utf8).write(to: URL(fileURLWithPath: path))
      try withShop { db throws in
        try db.register(table: "loan", CSVTable(path: path))
        try CSVModule.register(on: db)
        try db.register(table: "generate_series", GenerateSeries())
        try db.execute(sql: "CREATE VIRTUAL TABLE archive USING csv(filename='\(path)')")
        func regions(_ sql: String) throws -> [String] {
          let region = try db.makeStatement(sql: sql).databaseRegion
          return try [region.description, region.observed(in: db).description]
        }
        #expect(try regions("SELECT days FROM LOAN")[1] == "loan(days)")
        #expect(try regions("SELECT * FROM archive")[1] == "archive(days,isbn)")
        #expect(
          try regions("SELECT title FROM book JOIN loan ON isbn = title")[1]
            == "book(title),loan(isbn)")
        #expect(
          try regions("SELECT value FROM generate_series(1, 3), note")[1]
            == "generate_series(value),note(*)")
        #expect(try regions("SELECT value FROM json_each('[1]')")[1] == "empty")
        // Nobody but the application knows when the file changes.
        let log = Log<Int>()
        let region = try Table("loan").databaseRegion(db).observed(in: db)
        let observer = RegionObserver(region) { _ in log.append(1) }
        db.add(observer)
        try db.notifyChanges(in: Table("loan"))
        try db.execute(sql: "BEGIN; COMMIT")
        #expect(log.elements == [1])
        observer.cancel()
        try db.unregister(module: "loan")
        #expect(try Table("loan").databaseRegion(db).observed(in: db).isEmpty)
      }
    }
  }
}

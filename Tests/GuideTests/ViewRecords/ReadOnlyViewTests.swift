import Quarry
import Testing

extension ViewRecords {
  struct ReadOnlyViewTests {
    @Test func `a record reads a view without any configuration`() throws {
      let dbQueue = try DatabaseQueue()
      try migrator(upTo: .readableView).migrate(dbQueue)
      try dbQueue.write { db in
        try insertLoans(db)

        let loans = try OpenLoan.fetchAll(db).sorted { $0.number < $1.number }
        #expect(
          loans == [
            OpenLoan(number: "L2", borrower: "Ada", barcode: "C1"),
            OpenLoan(number: "L3", borrower: "Bo", barcode: "C2"),
          ])
        let count = try OpenLoan.fetchCount(db)
        #expect(count == 2)
      }
    }

    @Test func `a view without a primary key is not searched by key`() throws {
      let dbQueue = try makeDatabase(upTo: .readableView, source: nil)
      try dbQueue.write { db in
        try insertLoans(db)
        let error = #expect(throws: DatabaseError.self) { _ = try OpenLoan.find(db, id: "L2") }
        #expect(
          error?.description.hasPrefix(
            "SQLite error 1: database view openLoan has no primary key") == true)
      }
    }

    @Test func `a view without triggers is not modified`() throws {
      let dbQueue = try makeDatabase(upTo: .readableView)
      try dbQueue.write { db in
        try insertLoans(db)
        var loan = try OpenLoan.find(db, id: "L2")
        loan.borrower = "Di"
        let error = #expect(throws: DatabaseError.self) { try loan.update(db) }
        #expect(error?.message == "cannot modify openLoan because it is a view")
        #expect(
          error?.description.hasPrefix(
            "SQLite error 1: cannot modify openLoan because it is a view") == true)
        try #expect(lines(db, "openLoan") == ["L2|Ada|C1", "L3|Bo|C2"])
      }
    }

    @Test func `a copy has a single open loan`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertLoans(db)
        let error = #expect(throws: DatabaseError.self) {
          try Loan(number: "L4", barcode: "C1", borrower: "Di", isReturned: false).insert(db)
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
        // The loans that are over don't count.
        try Loan(number: "L4", barcode: "C1", borrower: "Di", isReturned: true).insert(db)
      }
    }
  }
}

import Quarry
import Testing

extension ViewRecords {
  struct ViewUpdateTests {
    @Test func `a trigger moves the loan, and ends that of the other copy`() throws {
      let dbQueue = try makeDatabase(upTo: .update)
      try dbQueue.write { db in
        try insertLoans(db)
        var loan = try OpenLoan.find(db, id: "L3")

        // The loan passes from Bo to Cy, and to the copy that Ada had.
        try loan.updateChanges(db) {
          $0.barcode = "C1"
          $0.borrower = "Cy"
        }

        let output = Output()
        try db.dumpTables(["loan", "openLoan"], stableOrder: true, to: output)
        #expect(
          output.text == """
            loan
            L1|C2|Cy|1
            L2|C1|Ada|1
            L3|C1|Cy|0

            openLoan
            L3|Cy|C1

            """)
      }
    }

    @Test func `the updated row is fetched as the view shows it`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertLoans(db)
        var loan = try OpenLoan.find(db, id: "L3")
        loan.borrower = "Di"
        try #expect(loan.updateAndFetch(db) == loan)
        let updated = try loan.updateChangesAndFetch(db) { $0.barcode = "C1" }
        #expect(updated == OpenLoan(number: "L3", borrower: "Di", barcode: "C1"))
        try #expect(loan.saveAndFetch(db) == loan)
        let new = OpenLoan(number: "L4", borrower: "Ada", barcode: "C2")
        try #expect(new.saveAndFetch(db) == new)
      }
    }

    @Test func `a row that the view leaves out is not updated`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertLoans(db)
        let returned = OpenLoan(number: "L1", borrower: "Cy", barcode: "C2")
        #expect(throws: RecordError.self) { try returned.update(db) }
        #expect(throws: RecordError.self) { _ = try returned.updateAndFetch(db) }
      }
    }
  }
}

import Quarry
import Testing

extension ViewRecords {
  struct ViewInsertionTests {
    @Test func `a trigger lends the copy, and ends its earlier loan`() throws {
      let dbQueue = try makeDatabase(upTo: .insertion)
      try dbQueue.write { db in
        try Copy(barcode: "C9", title: "Maps").insert(db)
        try OpenLoan(number: "L1", borrower: "Ada", barcode: "C9").insert(db)
        try OpenLoan(number: "L2", borrower: "Bo", barcode: "C9").insert(db)

        let output = Output()
        try db.dumpTables(["copy", "loan", "openLoan"], to: output)
        #expect(
          output.text == """
            copy
            C9|Maps

            loan
            L1|C9|Ada|1
            L2|C9|Bo|0

            openLoan
            L2|Bo|C9

            """)
      }
    }

    @Test func `the inserted row is fetched as the view shows it`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try Copy(barcode: "C9", title: "Maps").insert(db)
        let loan = OpenLoan(number: "L1", borrower: "Ada", barcode: "C9")
        try #expect(loan.insertAndFetch(db) == loan)
        let next = OpenLoan(number: "L2", borrower: "Bo", barcode: "C9")
        let borrower = try next.insertAndFetch(
          db, onConflict: .replace, selection: [OpenLoan.Columns.borrower]
        ) { try String.fetchOne($0) }
        #expect(borrower == "Bo")
      }
    }
  }
}

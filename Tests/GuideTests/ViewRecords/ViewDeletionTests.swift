import Quarry
import Testing

extension ViewRecords {
  struct ViewDeletionTests {
    @Test func `a trigger returns the copies of deleted open loans`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertLoans(db)
        try Copy(barcode: "C3", title: "Invisible Towns").insert(db)
        try OpenLoan(number: "L4", borrower: "Di", barcode: "C3").insert(db)

        // By key
        try OpenLoan.deleteOne(db, id: "L2")
        try #expect(OpenLoan.fetchCount(db) == 2)

        // A record
        try OpenLoan.find(db, id: "L3").delete(db)
        try #expect(OpenLoan.fetchAll(db).map(\.number) == ["L4"])

        // What is left
        try OpenLoan.deleteAll(db)
        try #expect(
          lines(db, "loan") == ["L1|C2|Cy|1", "L2|C1|Ada|1", "L3|C2|Bo|1", "L4|C3|Di|1"])
      }
    }

    @Test func `deletions return whether the view had the row`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertLoans(db)
        try #expect(!OpenLoan.deleteOne(db, id: "L1"))
        try #expect(!OpenLoan(number: "L1", borrower: "", barcode: "").delete(db))
        try #expect(OpenLoan.deleteOne(db, id: "L3"))
      }
    }

    @Test func `deleted rows are fetched as the view showed them`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertLoans(db)
        let deleted = try OpenLoan.filter(id: "L3").deleteAndFetchAll(db)
        #expect(deleted == [OpenLoan(number: "L3", borrower: "Bo", barcode: "C2")])
        try #expect(OpenLoan.all().deleteAndFetchIds(db) == ["L2"])
        try #expect(lines(db, "loan") == ["L1|C2|Cy|1", "L2|C1|Ada|1", "L3|C2|Bo|1"])
        try #expect(OpenLoan.all().deleteAndFetchAll(db).isEmpty)
      }
    }
  }
}

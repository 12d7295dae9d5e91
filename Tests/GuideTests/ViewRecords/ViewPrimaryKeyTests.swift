import Quarry
import Testing

extension ViewRecords {
  struct ViewPrimaryKeyTests {
    @Test func `a schema source declares the primary key of a view`() throws {
      let dbQueue = try makeDatabase(upTo: .readableView, source: LibrarySchemaSource())
      try dbQueue.write(insertLoans)

      try dbQueue.read { db in
        let loans = try OpenLoan.orderByPrimaryKey().fetchAll(db)
        #expect(loans.map(\.number) == ["L2", "L3"])
        let loan = try OpenLoan.find(db, id: "L3")
        #expect(loan == OpenLoan(number: "L3", borrower: "Bo", barcode: "C2"))
      }
    }

    @Test func `a row that the view leaves out is not found`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertLoans(db)
        let error = #expect(throws: RecordError.self) { try OpenLoan.find(db, id: "L1") }
        #expect(error?.description == #"Key not found in table openLoan: [number:"L1"]"#)
      }
    }
  }
}

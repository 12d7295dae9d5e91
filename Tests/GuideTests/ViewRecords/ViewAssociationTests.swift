import Quarry
import QuarryTestSupport
import Testing

extension ViewRecords {
  struct ViewAssociationTests {
    struct LentCopy: Decodable, FetchableRecord {
      var openLoan: OpenLoan
      var copy: Copy
    }

    @Test func `associations of views join on an explicit foreign key`() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertLoans(db)
        try Copy(barcode: "C3", title: "Invisible Towns").insert(db)
      }

      try dbQueue.read { db in
        let away = try Copy.joining(required: Copy.openLoan).fetchAll(db)
        #expect(away.map(\.barcode).sorted() == ["C1", "C2"])

        let lent = try OpenLoan.including(required: OpenLoan.copy)
          .order { $0.borrower }
          .asRequest(of: LentCopy.self)
          .fetchAll(db)
        #expect(lent.map(\.openLoan.borrower) == ["Ada", "Bo"])
        #expect(lent.map(\.copy.title) == ["Dispossession", "Left Hand"])

        let loan = try OpenLoan.find(db, id: "L3")
        try #expect(loan.request(for: OpenLoan.copy).fetchOne(db)?.title == "Left Hand")
      }
    }

    @Test func `the SQL joins the key of the table with the column of the view`() throws {
      try makeDatabase().read { db in
        try #expect(
          sql(of: Copy.joining(required: Copy.openLoan), in: db).sql == """
            SELECT "copy".* FROM "copy" \
            JOIN "openLoan" ON "openLoan"."barcode" = "copy"."barcode"
            """)
        try #expect(
          sql(of: OpenLoan.including(required: OpenLoan.copy), in: db).sql == """
            SELECT "openLoan".*, "copy".* FROM "openLoan" \
            JOIN "copy" ON "copy"."barcode" = "openLoan"."barcode"
            """)
      }
    }
  }
}

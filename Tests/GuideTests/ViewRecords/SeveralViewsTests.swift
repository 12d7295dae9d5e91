import Quarry
import Testing

/// Three views on the loans of a library: of rows, of a join, and of groups.
enum SeveralViews {
  /// A loan of a copy that is not back.
  struct OpenLoan: Codable, Identifiable, Equatable, FetchableRecord, PersistableRecord {
    var number: String
    var barcode: String
    var borrower: String

    var id: String { number }
  }

  /// A copy with its reader, identified by the copy.
  struct LentCopy: Codable, Identifiable, Equatable, FetchableRecord, PersistableRecord {
    var barcode: String
    var title: String
    var borrower: String

    var id: String { barcode }
  }

  /// A person who has borrowed something, identified by name.
  struct Reader: Codable, Equatable, FetchableRecord, PersistableRecord {
    var name: String
    var loanCount: Int
  }

  struct Keys: DatabaseSchemaSource {
    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
      ["openLoan": ["number"], "lentCopy": ["barcode"], "reader": ["name"]][view.name]
    }
  }

  static func makeDatabase() throws -> DatabaseQueue {
    var migrator = ViewRecords.migrator(upTo: .deletion)
    migrator.registerMigration("More views") { db in
      try db.execute(sql: lentCopies)
      try db.execute(sql: readers)
    }
    var configuration = Configuration()
    configuration.schemaSource = Keys()
    let dbQueue = try DatabaseQueue(configuration: configuration)
    try migrator.migrate(dbQueue)
    try dbQueue.write(ViewRecords.insertLoans)
    return dbQueue
  }

  private static let lentCopies = """
    CREATE VIEW lentCopy AS
      SELECT barcode, title, borrower FROM copy JOIN openLoan USING (barcode);
    CREATE TRIGGER buyAndLend INSTEAD OF INSERT ON lentCopy BEGIN
      INSERT INTO copy VALUES (NEW.barcode, NEW.title);
      INSERT INTO loan VALUES ('first loan of ' || NEW.barcode, NEW.barcode, NEW.borrower, FALSE);
    END;
    CREATE TRIGGER changeLent INSTEAD OF UPDATE ON lentCopy BEGIN
      UPDATE copy SET title = NEW.title WHERE barcode = OLD.barcode;
      UPDATE loan SET borrower = NEW.borrower WHERE barcode = OLD.barcode AND NOT isReturned;
    END;
    -- The copy is lost, with all of its loans.
    CREATE TRIGGER lose INSTEAD OF DELETE ON lentCopy BEGIN
      DELETE FROM copy WHERE barcode = OLD.barcode;
    END
    """

  private static let readers = """
    CREATE VIEW reader AS
      SELECT borrower AS name, COUNT(*) AS loanCount FROM openLoan GROUP BY borrower;
    CREATE TRIGGER welcome INSTEAD OF INSERT ON reader BEGIN
      SELECT RAISE(ABORT, 'a reader begins with a loan');
    END;
    CREATE TRIGGER rename INSTEAD OF UPDATE ON reader BEGIN
      UPDATE loan SET borrower = NEW.name WHERE borrower = OLD.name;
    END;
    CREATE TRIGGER sayGoodbye INSTEAD OF DELETE ON reader BEGIN
      UPDATE loan SET isReturned = TRUE WHERE borrower = OLD.name;
    END
    """
}

extension SeveralViews {
  struct SeveralViewsTests {
    @Test func `rows are inserted, updated, and leave the view`() throws {
      try makeDatabase().write { db in
        var loan = OpenLoan(number: "L4", barcode: "C1", borrower: "Di")
        try loan.insert(db)
        try #expect(!OpenLoan.exists(db, id: "L2"))

        try loan.updateChanges(db) { $0.barcode = "C2" }
        try #expect(!OpenLoan.exists(db, id: "L3"))
        try #expect(OpenLoan.fetchCount(db) == 1)

        try #expect(loan.delete(db))
        try #expect(
          ViewRecords.lines(db, "loan") == [
            "L1|C2|Cy|1", "L2|C1|Ada|1", "L3|C2|Bo|1", "L4|C2|Di|1",
          ])
        try #expect(!loan.exists(db))
      }
    }

    @Test func `a row of a join changes both of its tables`() throws {
      try makeDatabase().write { db in
        var copy = LentCopy(barcode: "C3", title: "Towns", borrower: "Cy")
        try #expect(copy.insertAndFetch(db) == copy)
        copy.title = "Invisible Towns"
        copy.borrower = "Di"
        try #expect(copy.updateAndFetch(db) == copy)
        try #expect(
          ViewRecords.lines(db, "lentCopy") == [
            "C1|Dispossession|Ada", "C2|Left Hand|Bo", "C3|Invisible Towns|Di",
          ])

        try LentCopy.deleteOne(db, id: "C2")
        try #expect(ViewRecords.lines(db, "copy") == ["C1|Dispossession", "C3|Invisible Towns"])
        try #expect(
          ViewRecords.lines(db, "loan") == ["L2|C1|Ada|0", "first loan of C3|C3|Di|0"])
      }
    }

    @Test func `two views are associated by an explicit foreign key`() throws {
      let copy = OpenLoan.belongsTo(
        LentCopy.self, using: ForeignKey(["barcode"], to: ["barcode"]))
      try makeDatabase().read { db in
        let rows = try OpenLoan.orderByPrimaryKey().including(required: copy)
          .asRequest(of: Row.self).fetchAll(db)
        #expect(
          rows.map { row in row.scopes["lentCopy"]?["title"] } == ["Dispossession", "Left Hand"])
      }
    }

    @Test func `a group is renamed and deleted as a row`() throws {
      try makeDatabase().write { db in
        try OpenLoan(number: "L4", barcode: "C2", borrower: "Ada").insert(db)
        var ada = try Reader.find(db, key: "Ada")
        #expect(ada.loanCount == 2)

        try db.execute(sql: "UPDATE reader SET name = 'Ada L.' WHERE name = 'Ada'")
        ada.name = "Ada L."
        try #expect(ada.saveAndFetch(db) == Reader(name: "Ada L.", loanCount: 2))

        try ada.delete(db)
        try #expect(Reader.fetchCount(db) == 0)
        try #expect(Table("loan").fetchCount(db) == 4)
      }
    }

    @Test func `a trigger that raises an error refuses the row`() throws {
      try makeDatabase().write { db in
        let error = #expect(throws: DatabaseError.self) {
          try Reader(name: "Eve", loanCount: 0).insert(db)
        }
        #expect(error?.message == "a reader begins with a loan")
        try #expect(Reader.orderByPrimaryKey().fetchAll(db).map(\.name) == ["Ada", "Bo"])
      }
    }
  }
}

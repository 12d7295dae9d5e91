import Quarry

/// The migrations of the library, up to a view that is read, inserted into, updated, and deleted
/// from.
extension ViewRecords {
  /// A step in the life of the view.
  enum Stage: Int, CaseIterable {
    case tables, readableView, insertion, update, deletion

    var migration: String { "Loans \(rawValue)" }
  }

  /// A migrator without the migrations after `last`.
  static func migrator(upTo last: Stage = .deletion) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for stage in Stage.allCases where stage.rawValue <= last.rawValue {
      migrator.registerMigration(stage.migration) { db in
        switch stage {
        case .tables: try createTables(db)
        case .readableView: try db.execute(sql: view)
        case .insertion: try db.execute(sql: insertTrigger)
        case .update: try db.execute(sql: updateTrigger)
        case .deletion: try db.execute(sql: deleteTrigger)
        }
      }
    }
    return migrator
  }

  /// A database whose views have the primary key that the schema source declares.
  static func makeDatabase(
    upTo last: Stage = .deletion, source: (any DatabaseSchemaSource)? = LibrarySchemaSource()
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.schemaSource = source
    let dbQueue = try DatabaseQueue(configuration: configuration)
    try migrator(upTo: last).migrate(dbQueue)
    return dbQueue
  }

  /// Two copies that are lent, and an earlier loan of the second.
  static func insertLoans(_ db: Database) throws {
    try Copy(barcode: "C1", title: "Dispossession").insert(db)
    try Copy(barcode: "C2", title: "Left Hand").insert(db)
    try Loan(number: "L1", barcode: "C2", borrower: "Cy", isReturned: true).insert(db)
    try Loan(number: "L2", barcode: "C1", borrower: "Ada", isReturned: false).insert(db)
    try Loan(number: "L3", barcode: "C2", borrower: "Bo", isReturned: false).insert(db)
  }

  /// A stream that keeps its text.
  final class Output: TextOutputStream {
    private(set) var text = ""

    func write(_ string: String) {
      text += string
    }
  }

  /// The rows of a table or view as text: `L2|Ada|C1`.
  static func lines(_ db: Database, _ table: String) throws -> [String] {
    try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1").map { row in
      row.databaseValues.map { $0.isNull ? "" : "\($0.storage.value ?? "")" }
        .joined(separator: "|")
    }
  }
}

extension ViewRecords {
  static func createTables(_ db: Database) throws {
    try db.create(table: "copy") { t in
      t.primaryKey("barcode", .text)
      t.column("title", .text).notNull()
    }
    try db.create(table: "loan") { t in
      t.primaryKey("number", .text)
      t.column("barcode", .text).notNull().references("copy", onDelete: .cascade)
      t.column("borrower", .text).notNull()
      t.column("isReturned", .boolean).notNull()
    }
    // A copy is in one place only.
    try db.create(
      indexOn: "loan", columns: ["barcode"], options: .unique, condition: !Column("isReturned"))
  }

  static let view = """
    CREATE VIEW openLoan AS SELECT number, borrower, barcode FROM loan WHERE NOT isReturned
    """

  /// A copy that is lent has been brought back before, even if nobody wrote it down.
  static let insertTrigger = """
    CREATE TRIGGER lend INSTEAD OF INSERT ON openLoan BEGIN
      UPDATE loan SET isReturned = TRUE WHERE barcode = NEW.barcode AND NOT isReturned;
      INSERT INTO loan VALUES (NEW.number, NEW.barcode, NEW.borrower, FALSE);
    END
    """

  /// A loan passes to another reader, or to another copy.
  static let updateTrigger = """
    CREATE TRIGGER passOn INSTEAD OF UPDATE ON openLoan BEGIN
      UPDATE loan SET isReturned = TRUE
        WHERE barcode = NEW.barcode AND number <> OLD.number AND NOT isReturned;
      UPDATE loan SET (barcode, borrower) = (NEW.barcode, NEW.borrower) WHERE number = OLD.number;
    END
    """

  /// A loan that ends is kept in the table.
  static let deleteTrigger = """
    CREATE TRIGGER bringBack INSTEAD OF DELETE ON openLoan BEGIN
      UPDATE loan SET isReturned = TRUE WHERE number = OLD.number;
    END
    """
}

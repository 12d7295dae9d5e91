// Records on views: each view has a key, and triggers that do what a change of the view means.

import Quarry

// snippet.records
struct OpenLoan: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var number: String
  var barcode: String
  var borrower: String

  var id: String { number }
}

// A copy is in the hands of one reader: the copy is the key.
struct LentCopy: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var barcode: String
  var title: String
  var borrower: String

  var id: String { barcode }
}

struct Reader: Codable, FetchableRecord, PersistableRecord {
  var name: String
  var loanCount: Int
}
// snippet.end

// snippet.keys
struct LibrarySchemaSource: DatabaseSchemaSource {
  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    switch view.name {
    case "openLoan": ["number"]
    case "lentCopy": ["barcode"]
    case "reader": ["name"]
    default: nil
    }
  }
}
// snippet.end

var migrator = DatabaseMigrator()

migrator.registerMigration("Copies and loans") { db in
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
}

// snippet.openLoans
migrator.registerMigration("Open loans") { db in
  try db.execute(
    sql: """
      CREATE VIEW openLoan AS
        SELECT number, barcode, borrower FROM loan WHERE NOT isReturned;

      -- A copy that is lent must have come back.
      CREATE TRIGGER lend INSTEAD OF INSERT ON openLoan BEGIN
        UPDATE loan SET isReturned = TRUE WHERE barcode = NEW.barcode;
        INSERT INTO loan VALUES (NEW.number, NEW.barcode, NEW.borrower, FALSE);
      END;

      CREATE TRIGGER passOn INSTEAD OF UPDATE ON openLoan BEGIN
        UPDATE loan SET borrower = NEW.borrower WHERE number = OLD.number;
      END;

      CREATE TRIGGER bringBack INSTEAD OF DELETE ON openLoan BEGIN
        UPDATE loan SET isReturned = TRUE WHERE number = OLD.number;
      END;
      """)
}
// snippet.end

// snippet.lentCopies
migrator.registerMigration("Lent copies") { db in
  try db.execute(
    sql: """
      CREATE VIEW lentCopy AS
        SELECT barcode, title, borrower FROM copy JOIN openLoan USING (barcode);

      CREATE TRIGGER buyAndLend INSTEAD OF INSERT ON lentCopy BEGIN
        INSERT INTO copy VALUES (NEW.barcode, NEW.title);
        INSERT INTO loan VALUES (hex(randomblob(4)), NEW.barcode, NEW.borrower, FALSE);
      END;

      CREATE TRIGGER changeLent INSTEAD OF UPDATE ON lentCopy BEGIN
        UPDATE copy SET title = NEW.title WHERE barcode = OLD.barcode;
        UPDATE openLoan SET borrower = NEW.borrower WHERE barcode = OLD.barcode;
      END;

      -- The copy is lost, with its loans.
      CREATE TRIGGER lose INSTEAD OF DELETE ON lentCopy BEGIN
        DELETE FROM copy WHERE barcode = OLD.barcode;
      END;
      """)
}
// snippet.end

// snippet.readers
migrator.registerMigration("Readers") { db in
  try db.execute(
    sql: """
      CREATE VIEW reader AS
        SELECT borrower AS name, COUNT(*) AS loanCount FROM openLoan GROUP BY borrower;

      CREATE TRIGGER welcome INSTEAD OF INSERT ON reader BEGIN
        SELECT RAISE(ABORT, 'a reader begins with a loan');
      END;

      CREATE TRIGGER sayGoodbye INSTEAD OF DELETE ON reader BEGIN
        UPDATE loan SET isReturned = TRUE WHERE borrower = OLD.name;
      END;
      """)
}
// snippet.end

// snippet.configuration
var configuration = Configuration()
configuration.schemaSource = LibrarySchemaSource()
let queue = try DatabaseQueue(configuration: configuration)
try migrator.migrate(queue)
// snippet.end

// snippet.use
try queue.write { db in
  try LentCopy(barcode: "C1", title: "Dispossession", borrower: "Ada").insert(db)
  try LentCopy(barcode: "C2", title: "Left Hand", borrower: "Bo").insert(db)

  // Bo passes the second copy on, and Ada has both.
  var copy = try LentCopy.find(db, id: "C2")
  try copy.updateChanges(db) { $0.borrower = "Ada" }
  print(try Reader.find(db, key: "Ada").loanCount)  // 2

  // Ada brings back what she has.
  try Reader.deleteOne(db, key: "Ada")
  print(try OpenLoan.fetchCount(db))  // 0
}
// snippet.end

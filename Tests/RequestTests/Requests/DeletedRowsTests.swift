import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let copies = Column("copies")
private let previous = Column("previous")

/// A volume of a series refers to the volume before it.
private struct Book: TableRecord, Identifiable {
  static let databaseTableName = "book"
  var id: Int64
}

private func withBooks<T>(_ body: (Database) throws -> T) throws -> T {
  let sql = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, previous INTEGER, copies INTEGER);
    INSERT INTO book VALUES (1, NULL, 10), (2, 1, 20), (3, 2, 30), (4, 3, 40);
    CREATE VIEW listed AS SELECT * FROM book;
    CREATE TABLE loan (id INTEGER PRIMARY KEY, bookId INTEGER);
    INSERT INTO loan VALUES (1, 2);
    """
  return try makeDatabase(sql: sql).write(body)
}

/// The view is written through them.
private let triggers = """
  CREATE TRIGGER updating INSTEAD OF UPDATE ON listed
  BEGIN UPDATE book SET copies = NEW.copies WHERE id = NEW.id; END;
  CREATE TRIGGER deleting INSTEAD OF DELETE ON listed
  BEGIN DELETE FROM book WHERE id = OLD.id; END
  """

private func deleteSQL(of request: QueryInterfaceRequest<some Any>, _ db: Database) throws -> String
{
  try SQLWriter.write(delete: request.relation, returning: nil, in: PlanningContext(db)).sql
}

private let few = Book.filter(copies == 10)

@Suite(.onQueueAndPool)
struct DeletedRowsTests {
  /// SQLite evaluates the subquery for the second row, when the first one is deleted.
  @Test(arguments: 0..<6)
  func `conditions see no row that is deleted`(form: Int) throws {
    let (request, left): (QueryInterfaceRequest<Book>, [Int]) =
      switch form {
      case 0: (Book.filter(Book.select(id).contains(previous)), [1])
      case 1: (Book.filter(copies == 10 || !few.exists()), [2, 3, 4])
      case 2: (Book.filter(copies == 10 || few.exists()), [])
      case 3: (Book.filter(copies == 10 || copies == Book.select(min(copies)) + 30), [2, 3])
      case 4:
        (
          Book.filter(copies == 10 || !Table<Row>("listed").filter(copies == 10).exists()),
          [2, 3, 4]
        )
      default:
        (
          Book.filter(sql: "copies = 10 OR NOT EXISTS (SELECT 1 FROM book WHERE copies = 10)"),
          [2, 3, 4]
        )
      }
    for fetches in [false, true] {
      try withBooks { db throws in
        #expect(try request.fetchCount(db) == 4 - left.count)
        if fetches {
          #expect(try request.deleteAndFetchIds(db).count == 4 - left.count)
        } else {
          #expect(try request.deleteAll(db) == 4 - left.count)
        }
        #expect(try Int.fetchAll(db, Book.order(id).select(id)) == left)
      }
    }
  }

  @Test func `rows are found by their key where conditions may see deleted ones`() throws {
    let book = TableAlias<Book>()
    try withBooks { db throws in
      #expect(
        try deleteSQL(of: Book.filter(Book.select(id).contains(previous)), db) == """
          DELETE FROM "book" WHERE "id" IN (SELECT "id" FROM "book" \
          WHERE "previous" IN (SELECT "id" FROM "book"))
          """)
      let lent = Table<Row>("loan").filter(Column("bookId") == book[id])
      #expect(
        try deleteSQL(of: Book.aliased(book).filter(lent.exists()), db) == """
          DELETE FROM "book" WHERE EXISTS (SELECT * FROM "loan" WHERE "bookId" = "book"."id")
          """)
      #expect(
        try deleteSQL(of: Book.filter(keys: [1, 2]), db) == """
          DELETE FROM "book" WHERE "id" IN (?, ?)
          """)
      #expect(
        try deleteSQL(of: Book.filter(Book.select(id).contains(previous)).limit(2), db) == """
          DELETE FROM "book" WHERE "previous" IN (SELECT "id" FROM "book") LIMIT 2
          """)
    }
  }

  @Test func `rows whose rowid has no name are limited to all`() throws {
    try withBooks { db throws in
      try db.execute(
        sql: """
          CREATE TABLE item (copies, rowid, oid, _rowid_);
          INSERT INTO item VALUES (10, 1, 0, 0), (20, 2, 0, 0);
          """)
      let items = Table<Row>("item")
      let request = items.filter(copies == 10 || !items.filter(copies == 10).exists())
      if SQLiteVersion.limitsModifications {
        #expect(try request.deleteAll(db) == 1)
        #expect(try Int.fetchAll(db, items.select(copies)) == [20])
      } else {
        #expect(throws: (any Error).self) { try request.deleteAll(db) }
      }
    }
  }

  @Test func `rows of a view whose alias has a name`() throws {
    let job = TableAlias<Row>(name: "job")
    let request = Table<Row>("listed").all().aliased(job).filter(job[id] > 2)
    try withBooks { db throws in
      try db.execute(sql: triggers)
      #expect(try request.updateAll(db, copies.set(to: job[copies] + 1)) == 2)
      #expect(try Int.fetchAll(db, Book.order(id).select(copies)) == [10, 20, 31, 41])
      let largest = Table<Row>("listed").select(max(copies))
      #expect(try request.updateAll(db, copies.set(to: largest)) == 2)
      #expect(try request.order(job[id].desc).limit(1).deleteAll(db) == 1)
      #expect(try Int.fetchAll(db, Book.order(id).select(copies)) == [10, 20, 41])
      #expect(try request.deleteAll(db) == 1)
    }
  }

  /// SQLite knows the view by its own name, which the source of the subquery has, too.
  @Test(arguments: [nil, "job"])
  func `a subquery reads the view whose rows are modified`(name: String?) throws {
    let row = TableAlias<Row>(name: name)
    let listed = Table<Row>("listed")
    let last = listed.all().aliased(row).filter(!listed.filter(previous == row[id]).exists())
    try withBooks { db throws in
      try db.execute(sql: triggers)
      let condition = """
        WHERE NOT EXISTS (SELECT "listed1".* FROM "listed" "listed1" \
        WHERE "listed1"."previous" = "listed"."id")
        """
      #expect(try deleteSQL(of: last, db) == #"DELETE FROM "listed" "# + condition)
      #expect(try last.updateAll(db, copies.set(to: 50)) == 1)
      #expect(try Int.fetchAll(db, Book.order(id).select(copies)) == [10, 20, 30, 50])
      #expect(try last.deleteAll(db) == 1)
      #expect(try Int.fetchAll(db, Book.order(id).select(id)) == [1, 2, 3])
    }
  }
}

import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// What a rehearsal calls damage.
struct DraftRehearsalTests {
  /// SQLite 3.40 takes the NULL of the shelf for one of the number.
  private static let copies = """
    CREATE TABLE copy (number INTEGER NOT NULL, shelf TEXT, isbn TEXT PRIMARY KEY) WITHOUT ROWID;
    """

  @Test func `a false alarm of before is no damage`() throws {
    let queue = try makeDatabase(
      sql: Self.copies + "INSERT INTO copy VALUES (1, NULL, 'a'); CREATE TABLE loan (day TEXT)")
    let draft = try MigrationDraft(
      from: queue, toSchema: Self.copies + "CREATE TABLE loan (day TEXT, days INTEGER)")
    #expect(draft.sql == "ALTER TABLE \"loan\" ADD COLUMN days INTEGER;\n")
    let rehearsal = try draft.rehearse(queue)
    #expect(rehearsal.damages == [])
    #expect(rehearsal.isSuccessful)
  }

  @Test func `a table without any NULL in the column is not damaged`() throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE copy (number INTEGER NOT NULL, shelf TEXT, isbn TEXT PRIMARY KEY NOT NULL);
        INSERT INTO copy VALUES (1, NULL, 'a'), (2, NULL, 'b');
        """)
    let draft = try MigrationDraft(from: queue, toSchema: Self.copies)
    let rehearsal = try draft.rehearse(queue)
    #expect(rehearsal.damages == [])
    #expect(rehearsal.isSuccessful)
  }

  @Test func `a NULL in a column that can't be NULL is damage of a renamed table`() throws {
    let queue = try makeDatabase(sql: "CREATE TABLE copy (isbn TEXT, shelf TEXT)")
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO copy VALUES ('a', NULL), ('b', NULL);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_master SET sql = 'CREATE TABLE copy (isbn TEXT, shelf TEXT NOT NULL)';
          PRAGMA writable_schema = RESET;
          """)
    }
    let rows = "isbn TEXT, shelf TEXT NOT NULL"
    let same = try MigrationDraft(
      from: queue, toSchema: "CREATE TABLE copy (\(rows), day TEXT)")
    try #expect(same.rehearse(queue).isSuccessful)
    let renamed = try MigrationDraft(
      from: queue, toSchema: "CREATE TABLE item (\(rows))", renaming: ["copy": "item"])
    let rehearsal = try renamed.rehearse(queue)
    #expect(rehearsal.damages == ["NULL value in item.shelf"])
    #expect(!rehearsal.isSuccessful)
  }

  @Test func `an index that differs from its table is damage`() throws {
    // The function draws numbers: it is not pure, as it says it is.
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("draw", argumentCount: 0, pure: true) { _ in
          Int64.random(in: 1 ... .max)
        })
    }
    let queue = try DatabaseQueue(configuration: configuration)
    let table = "CREATE TABLE book (title TEXT);"
    try queue.write { try $0.execute(sql: table + "INSERT INTO book VALUES ('Emma')") }
    let draft = try MigrationDraft(
      from: queue, toSchema: table + "CREATE INDEX numbers ON book (draw())")
    let rehearsal = try draft.rehearse(queue)
    #expect(rehearsal.damages == ["row 1 missing from index numbers"])
  }
}

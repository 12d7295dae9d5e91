import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Copy: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "copy"
  var id: Int64
  var n: Int
  var text: String
}

/// `INSERT … SELECT` of requests whose rows are shown by an adapter.
@Suite(.onQueueAndPool)
struct InsertAdaptedTests {
  private let id = Column("id")
  private let n = Column("n")

  private func withTables<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE pair (id INTEGER PRIMARY KEY, n INTEGER);
          CREATE TABLE copy (id INTEGER PRIMARY KEY, n INTEGER, text TEXT DEFAULT 'none');
          INSERT INTO pair VALUES (1, 10), (2, 20);
          """)
      return try body(db)
    }
  }

  private func rows(_ insert: (Database) throws -> Int) throws -> [Copy] {
    try withTables { db throws in
      let count = try insert(db)
      let copies = try Copy.order(id).fetchAll(db)
      #expect(copies.count == count)
      return copies
    }
  }

  private let copies = [Copy(id: 1, n: 10, text: "none"), Copy(id: 2, n: 20, text: "none")]

  private let swapped = SQLRequest<Row>(
    sql: "SELECT id AS n, n AS id FROM pair", adapter: ColumnMapping(["id": "n", "n": "id"]))

  private let hiding = SQLRequest<Row>(
    sql: "SELECT ? AS text, id, n FROM pair -- end", arguments: ["secret"],
    adapter: SuffixRowAdapter(fromIndex: 1))

  @Test func `values go to the column that the row shows them in`() throws {
    try #expect(rows { try swapped.insertAll($0, into: "copy") } == copies)
    try #expect(rows { try AnyFetchRequest(swapped).insertAll($0, into: "copy") } == copies)
    try #expect(rows { try swapped.insertAndFetchAll($0, into: Copy.self).count } == copies)
  }

  @Test func `renamed values`() throws {
    let prefixed = Table("pair").select(id.forKey("p_id"), n.forKey("p_n")).filter(id > 0)
      .adapted { _ in RenameColumnAdapter { String($0.dropFirst(2)) } }
    try #expect(rows { try prefixed.insertAll($0, into: "copy") } == copies)
    let statements = try withTables { db throws in
      try db.statements { try prefixed.insertAll(db, into: "copy") }
    }
    #expect(
      statements.contains(
        """
        INSERT INTO "copy" ("id", "n") SELECT "id" AS "p_id", "n" AS "p_n" FROM "pair" \
        WHERE "id" > ?
        """))
  }

  @Test func `hidden values are not inserted`() throws {
    try #expect(rows { try hiding.insertAll($0, into: "copy") } == copies)
    try #expect(rows { try hiding.insertAll($0, into: "copy", columns: ["id", "n"]) } == copies)
    try #expect(rows { try hiding.insertAndFetchAll($0, into: Copy.self).count } == copies)
  }

  @Test func `the adapter of a compound request`() throws {
    let request = hiding.union(hiding)
    try #expect(rows { try request.insertAll($0, into: "copy") } == copies)
  }

  @Test func `an adapter on top of associations`() throws {
    let pair = Table("pair")
    let same = pair.association(to: pair) { $0["id"] == $1["id"] }
    let request = pair.including(required: same.forKey("same"))
      .adapted { _ in ColumnMapping(["n": "id", "id": "n"]) }
    try #expect(
      rows { try request.insertAll($0, into: "copy") }
        == [Copy(id: 10, n: 1, text: "none"), Copy(id: 20, n: 2, text: "none")])
  }

  @Test func `one value in two columns, of a table named like the table expression`() throws {
    let rows = try withTables { db throws in
      try db.execute(sql: "CREATE TABLE Adapted (x, y); INSERT INTO Adapted VALUES (1, 2)")
      try SQLRequest<Row>(
        sql: "SELECT * FROM Adapted;", adapter: ColumnMapping(["id": "x", "n": "x"])
      ).insertAll(db, into: "copy")
      return try Copy.fetchAll(db)
    }
    #expect(rows == [Copy(id: 1, n: 1, text: "none")])
  }

  @Test func `the order of the rows is kept`() throws {
    try withTables { db throws in
      try SQLRequest<Row>(
        sql: "SELECT id, n FROM pair ORDER BY id DESC", adapter: SuffixRowAdapter(fromIndex: 1)
      ).insertAll(db, into: "copy")
      try #expect(Copy.order(id).fetchAll(db).map(\.n) == [20, 10])
    }
  }

  @Test func `scopes change nothing`() throws {
    let request = Table("pair").all().adapted { _ in ScopeAdapter(["all": EmptyRowAdapter()]) }
    try #expect(rows { try request.insertAll($0, into: "copy") } == copies)
  }

  @Test func `scopes leave values of associations as they are`() throws {
    let pair = Table("pair")
    let copy = pair.association(to: Table("copy")) { $0["id"] == $1["id"] }
    let included = pair.including(required: copy.select(Column("text")).forKey("copy"))
    func texts(_ request: some FetchRequest) throws -> [String] {
      try withTables { db throws in
        try db.execute(sql: "INSERT INTO copy VALUES (1, 5, 'a'), (2, 6, 'b')")
        try request.insertAll(db, into: "copy", columns: nil, onConflict: .replace)
        return try Copy.order(id).fetchAll(db).map { "\($0.n) \($0.text)" }
      }
    }
    let scoped = included.adapted { _ in ScopeAdapter(["all": EmptyRowAdapter()]) }
    #expect(try texts(included) == ["10 a", "20 b"])
    #expect(try texts(scoped) == ["10 a", "20 b"])
    let twice = scoped.adapted { _ in ScopeAdapter(["none": EmptyRowAdapter()]) }
    #expect(try texts(twice) == ["10 a", "20 b"])
    // The main row shows no value of the association.
    let mapped = scoped.adapted { _ in ColumnMapping(["n": "id", "id": "n"]) }
    #expect(try texts(mapped) == ["5 a", "6 b", "1 none", "2 none"])
  }

  @Test func `an adapter without scopes leaves out associations, whatever the main row shows`()
    throws
  {
    let pair = Table("pair")
    let copy = pair.association(to: Table("copy")) { $0["id"] == $1["id"] }
    let included = pair.select(Column("id"), Column("n"))
      .including(required: copy.select(Column("text")).forKey("copy"))
    for adapter: any RowAdapter in [
      RangeRowAdapter(0..<2), ColumnMapping(["id": "id", "n": "n"]), RenameColumnAdapter { $0 },
    ] {
      let request = included.adapted { _ in adapter }
      try withTables { db throws in
        try db.execute(sql: "INSERT INTO copy VALUES (1, 5, 'a'), (2, 6, 'b')")
        try request.insertAll(db, into: "copy", columns: nil, onConflict: .replace)
        #expect(try Copy.order(id).fetchAll(db) == copies)
        try request.insertAll(db, into: "copy", columns: ["id", "n"], onConflict: .replace)
      }
    }
  }

  @Test func `errors name what the row shows`() throws {
    let short = errorText {
      try withTables { try hiding.insertAll($0, into: "copy", columns: ["id"]) }
    }
    #expect(
      short == """
        Can't insert 2 values into 1 column of "copy": the request selects "id", "n", the columns \
        are "id"
        """)
    let empty = swapped.adapted { _ in EmptyRowAdapter() }
    #expect(
      errorText { try withTables { try empty.insertAll($0, into: "copy") } }
        == #"Can't insert into "copy": the adapter of the request shows no column"#)
  }
}

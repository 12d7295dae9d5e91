import Quarry
import QuarryTestSupport
import Testing

@Suite("Dumps of requests, tables and content")
struct DatabaseDumpTests {
  private func dump(_ body: (DatabaseQueue, DumpText) throws -> Void) throws -> String {
    let stream = DumpText()
    try body(makeBookshopDatabase(), stream)
    return stream.text
  }

  @Test("The rows of a request")
  func request() throws {
    let text = try dump { database, stream in
      let request = Author.filter(Author.Columns.birthYear < 1950)
        .select(Author.Columns.name, Author.Columns.country).order(Author.Columns.name)
      try database.dumpRequest(request, to: stream)
    }
    #expect(text == "Italo Bassi|IT\nUrsula Vernet|FR\n")
  }

  @Test("The rows of joined associations continue the row")
  func joinedRequest() throws {
    let text = try dump { database, stream in
      try database.dumpRequest(
        Book.select(Book.Columns.title).including(required: Book.author).orderByPrimaryKey(),
        to: stream)
    }
    #expect(
      text == """
        Dispossession|1|Ursula Vernet|FR|1929
        Left Hand|1|Ursula Vernet|FR|1929
        Invisible Towns|2|Italo Bassi|IT|1923

        """)
  }

  @Test("The rows of included to-many associations come after, below their keys")
  func prefetchedRequest() throws {
    let text = try dump { database, stream in
      let request = Author.filter(Author.Columns.id != 3).orderByPrimaryKey()
        .including(
          all: Author.books.select(Book.Columns.id, Book.Columns.title).orderByPrimaryKey()
            .including(all: Book.reviews.select(Column("score")).orderByPrimaryKey()))
      try database.dumpRequest(request, to: stream)
    }
    #expect(
      text == """
        1|Ursula Vernet|FR|1929
        2|Italo Bassi|IT|1923

        books
        1|Dispossession|1
        2|Left Hand|1
        3|Invisible Towns|2

        books.reviews
        5|1
        3|1
        4|3

        """)
  }

  @Test("A request without rows has associations without rows")
  func prefetchedRequestOfNothing() throws {
    let text = try dump { database, stream in
      try database.dumpRequest(
        Author.filter(Author.Columns.id == 99).including(all: Author.books), to: stream)
    }
    #expect(text == "books\n")
  }

  @Test("One table has no header, several have, and all have when asked")
  func tables() throws {
    let one = try dump { try $0.dumpTables(["publisher"], to: $1) }
    #expect(one == "1|Meridian|Paris\n2|Quayside|Turin\n")
    let named = try dump { try $0.dumpTables(["publisher"], tableHeader: .always, to: $1) }
    #expect(named == "publisher\n1|Meridian|Paris\n2|Quayside|Turin\n")
    let two = try dump { database, stream in
      try database.write { db in try db.execute(sql: "DELETE FROM note") }
      try database.dumpTables(["country", "note", "publisher"], to: stream)
    }
    #expect(
      two == """
        country
        FR|France
        IT|Italy

        note

        publisher
        1|Meridian|Paris
        2|Quayside|Turin

        """)
    #expect(try dump { try $0.dumpTables([], to: $1) } == "")
  }

  @Test("The rows of a table are in the order of its primary key")
  func orderOfTables() throws {
    let text = try dump { database, stream in
      try database.write { db in
        try db.execute(sql: "INSERT INTO stock VALUES ('middle', 'z', 1), ('a', 'b', 2)")
      }
      try database.dumpTables(["stock"], format: .list(separator: ","), to: stream)
    }
    #expect(text == "a,b,2\nmiddle,z,1\nnorth,a,3\nnorth,b,0\nsouth,a,7\n")
  }

  @Test("Views are in their own order, or sorted by all columns")
  func views() throws {
    let prepare: (DatabaseQueue) throws -> Void = { database in
      try database.write { db in
        try db.execute(
          sql: "CREATE VIEW byName AS SELECT name, city FROM publisher ORDER BY name DESC")
      }
    }
    let unstable = try dump { database, stream in
      try prepare(database)
      try database.dumpTables(["byName"], to: stream)
    }
    #expect(unstable == "Quayside|Turin\nMeridian|Paris\n")
    let stable = try dump { database, stream in
      try prepare(database)
      try database.dumpTables(["byName"], stableOrder: true, to: stream)
    }
    #expect(stable == "Meridian|Paris\nQuayside|Turin\n")
  }

  @Test("An unknown table is an error that names it")
  func unknownTable() throws {
    let error = #expect(throws: DatabaseError.self) {
      try dump { try $0.dumpTables(["nowhere"], to: $1) }
    }
    #expect(error?.message == "no such table: nowhere")
  }

  private static let schema = """
    CREATE TABLE team (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT UNIQUE, teamId INTEGER);
    CREATE INDEX player_team ON player(teamId);
    CREATE TRIGGER aaa AFTER DELETE ON team BEGIN DELETE FROM player; END;
    CREATE VIEW nameless AS SELECT id FROM player;
    CREATE VIRTUAL TABLE page USING fts5(body);
    INSERT INTO team VALUES (7, 'Red');
    INSERT INTO player VALUES (2, 'Barbara', 7), (1, 'Arthur', NULL);
    INSERT INTO page(rowid, body) VALUES (1, 'words');
    """

  private func dumpSchema(_ body: (Database, DumpText) throws -> Void) throws -> String {
    let stream = DumpText()
    try DatabaseQueue().write { db in
      try db.execute(sql: Self.schema)
      try body(db, stream)
    }
    return stream.text
  }

  @Test("The schema is sorted, indexes and triggers come after their table")
  func schema() throws {
    let text = try dumpSchema { try $0.dumpSchema(to: $1) }
    #expect(
      text == """
        sqlite_master
        CREATE VIEW nameless AS SELECT id FROM player;
        CREATE VIRTUAL TABLE page USING fts5(body);
        CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT UNIQUE, teamId INTEGER);
        CREATE INDEX player_team ON player(teamId);
        CREATE TABLE team (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
        CREATE TRIGGER aaa AFTER DELETE ON team BEGIN DELETE FROM player; END;

        """)
  }

  @Test("The content is the schema, and the rows of the tables of the user")
  func content() throws {
    let text = try dumpSchema { try $0.dumpContent(format: .quote(), to: $1) }
    #expect(text.hasPrefix("sqlite_master\nCREATE VIEW nameless"))
    #expect(
      text.hasSuffix(
        """
        END;

        page
        'words'

        player
        1, 'Arthur', NULL
        2, 'Barbara', 7

        team
        7, 'Red'

        """))
  }

  @Test("The content of an empty database is an empty schema")
  func empty() throws {
    let stream = DumpText()
    try DatabaseQueue().dumpContent(to: stream)
    #expect(stream.text == "sqlite_master\n")
  }

  @Test("A dump inside an access of the queue")
  func reentrant() throws {
    let stream = DumpText()
    let database = try DatabaseQueue()
    try database.read { _ in try database.dumpSQL("SELECT 1", to: stream) }
    #expect(stream.text == "1\n")
  }
}

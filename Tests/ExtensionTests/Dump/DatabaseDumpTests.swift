import Quarry
import QuarryTestSupport
import Testing

@Suite("Dumps of requests, tables and content")
struct DatabaseDumpTests {
  private func dump(_ body: (AnyDatabaseWriter, DumpText) throws -> Void) throws -> String {
    let stream = DumpText()
    try body(makeBookshopDatabase(), stream)
    return stream.text
  }

  @Test
  func `the rows of a request`() throws {
    let text = try dump { database, stream in
      let request = Author.filter(Author.Columns.birthYear < 1950)
        .select(Author.Columns.name, Author.Columns.country).order(Author.Columns.name)
      try database.dumpRequest(request, to: stream)
    }
    #expect(text == "Italo Bassi|IT\nUrsula Vernet|FR\n")
  }

  @Test
  func `the rows of joined associations continue the row`() throws {
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

  @Test
  func `the rows of included to-many associations come after, below their keys`() throws {
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
        1|Dispossession
        2|Left Hand
        3|Invisible Towns

        reviews
        5
        3
        4

        """)
  }

  @Test
  func `the key of an association is the path from the request that includes it`() throws {
    let through = try dump { database, stream in
      let publishers = Author.publishers.select(Column("name")).order(Column("name"))
      try database.dumpRequest(
        Author.filter(key: 2).select(Author.Columns.id).including(all: publishers),
        format: .line(), to: stream)
    }
    #expect(through == "id = 2\n\nbooks.publishers\nname = Meridian\n")
    let behindToOne = try dump { database, stream in
      let books = Author.books.select(Column("title")).orderByPrimaryKey()
      try database.dumpRequest(
        Book.filter(key: 3).select(Book.Columns.id, Book.Columns.authorId)
          .joining(required: Book.author.including(all: books)),
        to: stream)
    }
    #expect(behindToOne == "3|2\n\nauthor.books\nInvisible Towns\n")
  }

  @Test
  func `nothing is written for the associations of a request without rows`() throws {
    let text = try dump { database, stream in
      try database.dumpRequest(
        Author.filter(Author.Columns.id == 99).including(all: Author.books), to: stream)
    }
    #expect(text == "")
  }

  @Test
  func `one table has no header, several have, and all have when asked`() throws {
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

  @Test
  func `the rows of a table are in the order of its primary key`() throws {
    let text = try dump { database, stream in
      try database.write { db in
        try db.execute(sql: "INSERT INTO stock VALUES ('middle', 'z', 1), ('a', 'b', 2)")
      }
      try database.dumpTables(["stock"], format: .list(separator: ","), to: stream)
    }
    #expect(text == "a,b,2\nmiddle,z,1\nnorth,a,3\nnorth,b,0\nsouth,a,7\n")
  }

  @Test
  func `views are in their own order, or sorted by all columns`() throws {
    let prepare: (AnyDatabaseWriter) throws -> Void = { database in
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

  @Test
  func `an unknown table is an error that names it`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try dump { try $0.dumpTables(["nowhere"], to: $1) }
    }
    #expect(error?.message == "no such table: nowhere")
  }

  @Test
  func `what was written before an error stays`() throws {
    let text = try dump { database, stream in
      #expect(throws: DatabaseError.self) {
        try database.dumpTables(["publisher", "nowhere"], to: stream)
      }
    }
    #expect(text == "publisher\n1|Meridian|Paris\n2|Quayside|Turin\n\nnowhere\n")
  }

  @Test(.needs(.fullText))
  func `temporary tables and the schema table are dumped, by their names`() throws {
    let text = try dumpSchema { db, stream in
      try db.execute(sql: "DROP TABLE page; CREATE TEMPORARY TABLE draft AS SELECT 5 AS x")
      try db.dumpTables(["draft"], to: stream)
      try db.dumpTables(["sqlite_master"], format: .list(separator: " "), to: stream)
    }
    #expect(text.hasPrefix("5\ntable team team "))
    #expect(!text.contains("draft"))
  }

  @Test func `a table of the application may have a name that begins with pragma_`() throws {
    let stream = DumpText()
    try DatabaseQueue().write { db in
      try db.execute(
        sql: "CREATE TABLE pragma_notes (note); INSERT INTO pragma_notes VALUES ('x')")
      try db.dumpContent(to: stream)
    }
    #expect(
      stream.text == """
        sqlite_master
        CREATE TABLE pragma_notes (note);

        pragma_notes
        x

        """)
  }

  private static let schema = """
    CREATE TABLE team (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE Orchard (a, b);
    CREATE TRIGGER picking AFTER INSERT ON Orchard BEGIN SELECT 1; END;
    CREATE INDEX zone ON Orchard(a);
    CREATE INDEX Area ON Orchard(b);
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

  @Test(.needs(.fullText))
  func `the schema is sorted, indexes and triggers come after their table`() throws {
    let text = try dumpSchema { try $0.dumpSchema(to: $1) }
    #expect(
      text == """
        sqlite_master
        CREATE VIEW nameless AS SELECT id FROM player;
        CREATE TABLE Orchard (a, b);
        CREATE INDEX Area ON Orchard(b);
        CREATE INDEX zone ON Orchard(a);
        CREATE TRIGGER picking AFTER INSERT ON Orchard BEGIN SELECT 1; END;
        CREATE VIRTUAL TABLE page USING fts5(body);
        CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT UNIQUE, teamId INTEGER);
        CREATE INDEX player_team ON player(teamId);
        CREATE TABLE team (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
        CREATE TRIGGER aaa AFTER DELETE ON team BEGIN DELETE FROM player; END;

        """)
  }

  @Test(.needs(.fullText))
  func `the content is the schema, and the rows of the tables of the user`() throws {
    let text = try dumpSchema { try $0.dumpContent(format: .quote(), to: $1) }
    #expect(text.hasPrefix("sqlite_master\nCREATE VIEW nameless"))
    #expect(
      text.hasSuffix(
        """
        END;

        Orchard

        page
        'words'

        player
        1,'Arthur',NULL
        2,'Barbara',7

        team
        7,'Red'

        """))
  }

  @Test(.needs(.fullText))
  func `full-text tables show their texts, and none of the tables that they keep them in`() throws {
    let stream = DumpText()
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE VIRTUAL TABLE book_ft USING fts5(title, content='book', content_rowid='id');
          CREATE TRIGGER book_ai AFTER INSERT ON book BEGIN
            INSERT INTO book_ft(rowid, title) VALUES (new.id, new.title); END;
          CREATE VIRTUAL TABLE note USING fts5(body, content='');
          INSERT INTO book VALUES (2, 'Left Hand'), (1, 'Dispossession');
          INSERT INTO note(rowid, body) VALUES (1, 'one'), (2, 'two');
          """)
      try db.dumpContent(to: stream)
    }
    #expect(
      stream.text == """
        sqlite_master
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
        CREATE TRIGGER book_ai AFTER INSERT ON book BEGIN
          INSERT INTO book_ft(rowid, title) VALUES (new.id, new.title); END;
        CREATE VIRTUAL TABLE book_ft USING fts5(title, content='book', content_rowid='id');
        CREATE VIRTUAL TABLE note USING fts5(body, content='');

        book
        1|Dispossession
        2|Left Hand

        book_ft
        Dispossession
        Left Hand

        note



        """)
  }

  @Test
  func `the content of an empty database is an empty schema`() throws {
    let stream = DumpText()
    try DatabaseQueue().dumpContent(to: stream)
    #expect(stream.text == "sqlite_master\n")
  }

  @Test
  func `a dump inside an access of the queue`() throws {
    let stream = DumpText()
    let database = try DatabaseQueue()
    try database.read { _ in try database.dumpSQL("SELECT 1", to: stream) }
    #expect(stream.text == "1\n")
  }

  @Test
  func `the content is that of the main schema, also of tables that temporary ones hide`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "a.b" (x);
          INSERT INTO "a.b" VALUES ('main');
          CREATE TABLE player (a);
          INSERT INTO player VALUES ('main');
          CREATE TEMP TABLE player (a);
          INSERT INTO temp.player VALUES ('temp');
          """)
      let stream = DumpText()
      try db.dumpContent(to: stream)
      #expect(
        stream.text == """
          sqlite_master
          CREATE TABLE "a.b" (x);
          CREATE TABLE player (a);

          a.b
          main

          player
          main

          """)
    }
  }

  /// The second one is not the table `book` of the schema `main`.
  @Test
  func `a table whose name begins with that of a schema is another one`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (title);
          INSERT INTO book VALUES ('Emma');
          CREATE TABLE "main.book" (title);
          INSERT INTO "main.book" VALUES ('Ruth');
          CREATE TEMP TABLE book (title);
          """)
      let stream = DumpText()
      try db.dumpContent(to: stream)
      #expect(stream.text.hasSuffix("\n\nbook\nEmma\n\nmain.book\nRuth\n"))
    }
  }

  @Test(arguments: [false, true])
  func `a table whose rowid has no name is sorted by all columns`(stableOrder: Bool) throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE loan (rowid TEXT, _rowid_ TEXT, oid TEXT);
          INSERT INTO loan VALUES ('b', 'Emma', NULL), ('a', 'Ruth', 'x'), ('a', 'Emma', 'y');
          CREATE TABLE member (name TEXT);
          INSERT INTO member VALUES ('Ann');
          """)
      let rows = "a|Emma|y\na|Ruth|x\nb|Emma|\n"
      let stream = DumpText()
      try db.dumpTables(["loan"], stableOrder: stableOrder, to: stream)
      #expect(stream.text == rows)
      let content = DumpText()
      try db.dumpContent(to: content)
      #expect(content.text.hasSuffix("\n\nloan\n\(rows)\nmember\nAnn\n"))
    }
  }
}

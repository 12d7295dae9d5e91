import Quarry
import QuarryTestSupport
import Testing

/// The violated constraint as data: ``DatabaseError/constraint``.
struct ConstraintErrorTests {
  /// A statement that violates a constraint, and the constraint: `kind|table|columns|name`.
  struct Violation: Sendable, CustomTestStringConvertible {
    let schema: String
    let sql: String
    let constraint: String

    init(_ schema: String, _ sql: String, _ constraint: String) {
      self.schema = schema
      self.sql = sql
      self.constraint = constraint
    }

    var testDescription: String { "\(schema) | \(sql)" }
  }

  private static let violations = [
    Violation(
      "CREATE TABLE t (a UNIQUE)", "INSERT INTO t VALUES (1), (1)", #"unique|t|["a"]|nil"#),
    Violation(
      "CREATE TABLE t (a, b, UNIQUE (b, a))", "INSERT INTO t VALUES (1, 2), (1, 2)",
      #"unique|t|["b", "a"]|nil"#),
    Violation(
      "CREATE TABLE t (a, b, CONSTRAINT pair UNIQUE (a, b))",
      "INSERT INTO t VALUES (1, 2), (1, 2)", #"unique|t|["a", "b"]|pair"#),
    Violation(
      "CREATE TABLE t (a CONSTRAINT one UNIQUE CONSTRAINT set1 NOT NULL)",
      "INSERT INTO t VALUES (1), (1)", #"unique|t|["a"]|one"#),
    Violation(
      "CREATE TABLE t (a, b); CREATE UNIQUE INDEX ix ON t (a, b)",
      "INSERT INTO t VALUES (1, 2), (1, 2)", #"unique|t|["a", "b"]|ix"#),
    Violation(
      "CREATE TABLE t (a, b); CREATE UNIQUE INDEX part ON t (a) WHERE b > 0",
      "INSERT INTO t VALUES (1, 2), (1, 2)", #"unique|t|["a"]|part"#),
    Violation(
      "CREATE TABLE t (a); CREATE UNIQUE INDEX \"it's\" ON t (lower(a))",
      "INSERT INTO t VALUES ('A'), ('a')", "unique|t|[]|it's"),
    // For Swift, each quote and its accent are one character.
    Violation(
      "CREATE TABLE t (a); CREATE UNIQUE INDEX \"'\u{301}it'\u{301}s\" ON t (lower(a))",
      "INSERT INTO t VALUES ('A'), ('a')", "unique|t|[]|'\u{301}it'\u{301}s"),
    Violation(
      #"CREATE TABLE "t.a" ("b, t.c" UNIQUE, "c.d", UNIQUE ("c.d", "b, t.c"))"#,
      #"INSERT INTO "t.a" VALUES (1, 2), (1, 3)"#, #"unique|t.a|["b, t.c"]|nil"#),
    Violation(
      "CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1), (1)",
      #"primaryKey|t|["id"]|nil"#),
    Violation(
      "CREATE TABLE t (a, b, CONSTRAINT pk PRIMARY KEY (a, b)) WITHOUT ROWID",
      "INSERT INTO t VALUES (1, 2), (1, 2)", #"primaryKey|t|["a", "b"]|pk"#),
    Violation(
      "CREATE TABLE t (code TEXT PRIMARY KEY)", "INSERT INTO t VALUES ('x'), ('x')",
      #"primaryKey|t|["code"]|nil"#),
    Violation(
      "CREATE TABLE t (a)", "INSERT INTO t (rowid, a) VALUES (1, 1), (1, 2)",
      #"rowID|t|["rowid"]|nil"#),
    Violation(
      "CREATE TABLE t (a, b CONSTRAINT filled NOT NULL)", "INSERT INTO t VALUES (1, NULL)",
      #"notNull|t|["b"]|filled"#),
    Violation(
      #"CREATE TABLE "a ""b""" ("c d" NOT NULL)"#, #"INSERT INTO "a ""b""" VALUES (NULL)"#,
      #"notNull|a "b"|["c d"]|nil"#),
    Violation(
      "CREATE TABLE t (a CHECK (a > 0), b)", "INSERT INTO t VALUES (0, 1)",
      #"check|t|["a"]|nil"#),
    Violation(
      "CREATE TABLE t (a, b, c, CONSTRAINT ordered CHECK (a <= \"b\"))",
      "INSERT INTO t VALUES (2, 1, 0)", #"check|t|["a", "b"]|ordered"#),
    Violation(
      "CREATE TABLE t (a INTEGER) STRICT", "INSERT INTO t VALUES ('x')",
      #"dataType|t|["a"]|nil"#),
    Violation(
      "CREATE TABLE p (id PRIMARY KEY); CREATE TABLE t (a REFERENCES p)",
      "INSERT INTO t VALUES (1)", #"foreignKey|t|["a"]|nil"#),
    Violation(
      """
      CREATE TABLE p (a, b, PRIMARY KEY (a, b));
      CREATE TABLE t (x, y, CONSTRAINT parent FOREIGN KEY (x, y) REFERENCES p);
      INSERT INTO p VALUES (1, 2); INSERT INTO t VALUES (1, 2)
      """, "DELETE FROM p", #"foreignKey|t|["x", "y"]|parent"#),
    Violation(
      """
      CREATE TABLE p (id PRIMARY KEY);
      CREATE TABLE t (a REFERENCES p, b CONSTRAINT second REFERENCES p)
      """, "INSERT INTO t VALUES (1, 2)", "foreignKey|t|[]|nil"),
    Violation(
      """
      CREATE TABLE p (id PRIMARY KEY); CREATE TABLE t (a REFERENCES p);
      INSERT INTO p VALUES (1); INSERT INTO t VALUES (1)
      """, "DROP TABLE p", #"foreignKey|t|["a"]|nil"#),
    Violation(
      """
      CREATE TABLE p (id PRIMARY KEY);
      CREATE TABLE t (a NOT NULL REFERENCES p ON DELETE SET NULL);
      INSERT INTO p VALUES (1); INSERT INTO t VALUES (1)
      """, "DELETE FROM p", #"notNull|t|["a"]|nil"#),
    Violation(
      """
      CREATE TABLE t (a); CREATE TABLE log (a UNIQUE);
      CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END
      """, "INSERT INTO t VALUES (1), (1)", #"unique|log|["a"]|nil"#),
    Violation(
      """
      CREATE TABLE t (a);
      CREATE TRIGGER tr BEFORE INSERT ON t BEGIN SELECT raise(ABORT, 'not today'); END
      """, "INSERT INTO t VALUES (1)", "trigger|nil|[]|nil"),
    // The row that is removed for another one has a child: so may the foreign key from the other.
    Violation(copies("ON CONFLICT REPLACE"), "INSERT INTO book VALUES (3, 'a', 7)", unknownKey),
    Violation(
      copies("ON CONFLICT REPLACE"), "UPDATE book SET isbn = 'a' WHERE id = 2",
      #"foreignKey|copy|["bookId"]|nil"#),
    Violation(
      copies(), "UPDATE OR REPLACE book SET isbn = 'a', shelfId = 7 WHERE id = 2", unknownKey),
    Violation(copies(), "UPDATE book SET rowid = 9, shelfId = 7 WHERE id = 1", unknownKey),
    Violation(
      copies(), "UPDATE book SET _rowid_ = 9 WHERE id = 1", #"foreignKey|copy|["bookId"]|nil"#),
    // A function replaces no row.
    Violation(
      copies("CHECK (isbn = replace(isbn, '-', ''))"),
      "INSERT INTO book VALUES (3, replace('c-', '-', ''), 99)",
      #"foreignKey|book|["shelfId"]|nil"#),
  ]

  private static let unknownKey = "foreignKey|nil|[]|nil"

  /// A shelf with books, the first of which has a copy.
  private static func copies(_ constraint: String = "") -> String {
    """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, isbn TEXT UNIQUE \(constraint),
      shelfId INTEGER REFERENCES shelf(id));
    CREATE TABLE copy (bookId INTEGER REFERENCES book(id));
    INSERT INTO shelf VALUES (7);
    INSERT INTO book VALUES (1, 'a', 7), (2, 'b', 7);
    INSERT INTO copy VALUES (1);
    """
  }

  @Test(arguments: violations)
  func `the constraint is known as data`(_ violation: Violation) throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.execute(sql: violation.schema)
      let error = #expect(throws: DatabaseError.self) { try db.execute(sql: violation.sql) }
      let constraint = try #require(error?.constraint)
      #expect(
        """
        \(constraint.kind)|\(constraint.table ?? "nil")|\(constraint.columns)|\
        \(constraint.name ?? "nil")
        """ == violation.constraint)
    }
  }

  @Test func `SQLite does not report which deferred foreign key is violated`() throws {
    let queue = try DatabaseQueue()
    let error = #expect(throws: DatabaseError.self) {
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE p (id PRIMARY KEY);
            CREATE TABLE t (a REFERENCES p DEFERRABLE INITIALLY DEFERRED);
            INSERT INTO t VALUES (1);
            """)
      }
    }
    #expect(error?.constraint?.kind == .foreignKey)
    #expect(error?.constraint?.table == nil)
    #expect(error?.constraint?.columns == [])
  }

  @Test func `a record identifies the foreign key among several`() throws {
    try inBookshop { db, _ throws in
      let error = #expect(throws: DatabaseError.self) {
        try Book(id: 9, authorId: 1, publisherId: 12).insert(db)
      }
      #expect(error?.constraint?.table == "book")
      #expect(error?.constraint?.columns == ["publisherId"])
    }
  }

  @Test func `a check of foreign keys names the constraint`() throws {
    try inBookshop { db, _ throws in
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON; UPDATE book SET authorId = 99")
      let error = #expect(throws: DatabaseError.self) { try db.checkForeignKeys() }
      #expect(error?.constraint?.kind == .foreignKey)
      #expect(error?.constraint?.columns == ["authorId"])
      try db.execute(sql: "UPDATE book SET authorId = NULL")
    }
  }

  @Test func `other errors have no constraint`() throws {
    let queue = try DatabaseQueue()
    let error = #expect(throws: DatabaseError.self) {
      try queue.write { db in try db.execute(sql: "SELECT x") }
    }
    #expect(error?.resultCode == .SQLITE_ERROR)
    #expect(error?.constraint == nil)
  }

  @Test func `application errors have no constraint`() {
    #expect(DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE).constraint == nil)
  }
}

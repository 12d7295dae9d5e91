import Testing

@testable import Quarry

struct CheckConstraintTests {
  private func checks(_ sql: String) -> [[String]] {
    DeclaredConstraint.checks(in: sql).map { [$0.reportedName, $0.condition] }
  }

  @Test func `the condition is the name of a check without name`() {
    #expect(
      checks("CREATE TABLE t (a CHECK (a > 0), b, CHECK ( length(b) > (1 + 2)\n))")
        == [["a > 0", "a > 0"], ["length(b) > (1 + 2)", "length(b) > (1 + 2)"]])
  }

  @Test func `a name in quotes at the start is all that SQLite reports`() {
    #expect(checks(#"CREATE TABLE t ("a b" CHECK ("a b" >= 0))"#) == [["a b", #""a b" >= 0"#]])
    #expect(checks("CREATE TABLE t (a CHECK ([a] < 1))") == [["a", "[a] < 1"]])
  }

  @Test func `named checks`() {
    #expect(
      checks(
        #"""
        CREATE TABLE t (
          a INTEGER CONSTRAINT filled NOT NULL CHECK (a <> 3) CONSTRAINT "is it" check(a < 9),
          CONSTRAINT pair UNIQUE (a), CHECK (a > 1))
        """#) == [["a <> 3", "a <> 3"], ["is it", "a < 9"], ["a > 1", "a > 1"]])
  }

  @Test func `texts, comments and names are no checks`() {
    #expect(
      checks(
        """
        CREATE TABLE t ( -- CHECK (0)
          "CHECK" TEXT DEFAULT 'CHECK (1)' /* CHECK (2) ' */, [check (3)], `check` CHECK (a = ')'))
        """) == [["a = ')'", "a = ')'"]])
  }

  @Test(arguments: [
    "", "CHECK", "CHECK (", "CHECK ('", "CHECK (a /*", "CONSTRAINT", "CHECK )", "[",
  ])
  func `what is no table has no checks`(_ sql: String) {
    #expect(checks(sql).isEmpty)
  }

  /// SQLite is the oracle of the names.
  @Test(arguments: [
    "a > 0", "\"a\" > 0", "[a] > 0", "`a` > 0", " a  >  0 ", "'' || a > '0'",
    "a > 0 /* positive */", "/* positive */ a > 0", "\"a\"\"b\" > 0",
  ])
  func `the name is the one that SQLite reports`(_ condition: String) throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      let column = condition.contains("\"\"") ? "\"a\"\"b\"" : "a"
      try db.execute(sql: "CREATE TABLE t (\(column) CHECK (\(condition)))")
      let error = #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO t VALUES (0)")
      }
      let check = try #require(
        DeclaredConstraint.checks(in: String.fetchOne(db, sql: "SELECT sql FROM sqlite_master")!)
          .first)
      #expect(error?.message == "CHECK constraint failed: \(check.reportedName)")
    }
  }
}

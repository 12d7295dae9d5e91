import Testing

@testable import Quarry

struct ConstraintNameTests {
  private func names(_ sql: String) -> [String] {
    DeclaredConstraint.all(in: sql).filter { $0.kind != .check }.compactMap { constraint in
      constraint.name.map { "\($0) \(constraint.kind) \(constraint.columns)" }
    }
  }

  @Test func `names of columns and of the table`() {
    #expect(
      names(
        #"""
        CREATE TABLE "a (b" ( -- CONSTRAINT no UNIQUE
          id INTEGER CONSTRAINT "the ""key""" PRIMARY KEY,
          [a b] TEXT DEFAULT (1) CONSTRAINT filled NOT NULL CONSTRAINT one UNIQUE,
          p CONSTRAINT up REFERENCES parent (id) CHECK (p > 0),
          CONSTRAINT pair UNIQUE ("a b", id DESC), CONSTRAINT positive CHECK (id > 0),
          CONSTRAINT other FOREIGN KEY (p, id) REFERENCES parent (x, y)
        ) STRICT
        """#) == [
          #"the "key" primaryKey ["id"]"#, #"filled notNull ["a b"]"#, #"one unique ["a b"]"#,
          #"up foreignKey ["p"]"#, #"pair unique ["a b", "id"]"#,
          #"other foreignKey ["p", "id"]"#,
        ])
  }

  @Test(arguments: ["", "CREATE TABLE t (", "CREATE TABLE t (a UNIQUE, CHECK (a", "CONSTRAINT ("])
  func `what has no names`(_ sql: String) {
    #expect(names(sql).isEmpty)
  }
}

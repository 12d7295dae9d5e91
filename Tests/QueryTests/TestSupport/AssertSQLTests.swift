import Foundation
import Testing

@testable import Quarry
@testable import QuarryTestSupport

struct AssertSQLTests {
  private let recent = Book.filter(Book.Columns.year > 1970).order(Book.Columns.title)

  @Test func `the SQL, its arguments and the rows of a request are compared`() throws {
    try assertSQL(recent) {
      """
      SELECT * FROM "book" WHERE "year" > ? ORDER BY "title"
      [1970]
      """
    } rows: {
      """
      1|Dispossession|1974|12.5|1|1
      3|Invisible Towns|2002|15.0|2|1
      """
    }
  }

  @Test func `rows have the columns of associations, and their nulls`() throws {
    try assertSQL(
      Book.filter(Book.Columns.id == 4).select(Book.Columns.title).including(optional: Book.author)
    ) {
      """
      SELECT "book"."title", "author".* FROM "book" LEFT JOIN "author" \
      ON "author"."id" = "book"."authorId" WHERE "book"."id" = ?
      [4]
      """
    } rows: {
      """
      Anonymous|NULL|NULL|NULL|NULL
      """
    }
  }

  @Test func `another SQL and other rows are issues`() throws {
    guard !ExpectedText.isRewriting else { return }
    try withKnownIssue {
      try assertSQL(recent) { "SELECT 1" }
    } matching: {
      $0.comments.first?.rawValue.contains("expected\nSELECT 1\nbut got\nSELECT *") == true
    }
    try withKnownIssue {
      try assertSQL(recent.select(Book.Columns.id)) {
        """
        SELECT "id" FROM "book" WHERE "year" > ? ORDER BY "title"
        [1970]
        """
      } rows: {
        "2"
      }
    } matching: {
      $0.comments.first?.rawValue == "rows: expected\n2\nbut got\n1\n3"
    }
  }
}

/// The mode that writes texts into the source.
struct RewrittenTextTests {
  private let source = #"""
    try assertSQL(one) {
      """
      SELECT old
      """
    } rows: {
      """
      """
    }
    try assertSQL(two) {
      """
      SELECT other \
      text
      """
    }
    """#

  @Test func `texts are written between the quotes, and those below move`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/Test.swift"
      try source.write(toFile: path, atomically: true, encoding: .utf8)
      try SourceFile.rewrite(path: path, line: 1, label: "rows", text: "1|a\n2|b")
      try SourceFile.rewrite(path: path, line: 1, label: nil, text: "SELECT new\n[1]")
      try SourceFile.rewrite(path: path, line: 9, label: nil, text: #"SELECT '\'"#)
      try #expect(
        String(contentsOfFile: path, encoding: .utf8) == #"""
          try assertSQL(one) {
            """
            SELECT new
            [1]
            """
          } rows: {
            """
            1|a
            2|b
            """
          }
          try assertSQL(two) {
            """
            SELECT '\\'
            """
          }
          """#)
    }
  }

  @Test func `long lines are continued`() {
    let word = String(repeating: "x", count: 50)
    #expect(SourceFile.wrapped("\(word) \(word) y") == [#"\#(word) \"#, "\(word) y"])
  }

  @Test func `a call without literal of several lines is an error`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/Test.swift"
      try #"try assertSQL(one) { "SELECT 1" }"#.write(
        toFile: path, atomically: true, encoding: .utf8)
      #expect(throws: SourceFile.NoText.self) {
        try SourceFile.rewrite(path: path, line: 1, label: nil, text: "SELECT 2")
      }
    }
  }
}

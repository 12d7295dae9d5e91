import Testing

@testable import Quarry

struct RowDecodingErrorTests {
  enum CodingKeys: CodingKey {
    case x, theURL, firstName
  }

  static let context = RowDecodingError.Context(row: "[a:1]")

  static let column = RowDecodingError.Context(
    columnName: "n", columnIndex: 0, row: #"[n:1000 m:"x"]"#, sql: "SELECT 1000 AS n, ? AS m",
    arguments: ["x"])

  @Test func `The context follows the reason`() {
    let error = RowDecodingError(
      .valueMismatch(type: "Int8", value: 1000.databaseValue), Self.column)
    #expect(
      error.description == """
        could not decode Int8 from database value 1000 - column: "n", column index: 0, \
        row: [n:1000 m:"x"], sql: `SELECT 1000 AS n, ? AS m`, arguments: ["x"]
        """)
  }

  @Test(arguments: [
    (
      RowDecodingError(.valueMismatch(type: "Int", value: .null), context),
      "could not decode Int from database value NULL"
    ),
    (
      RowDecodingError(.valueMismatch(type: "Optional<Int>", value: "a".databaseValue), context),
      #"could not decode Optional<Int> from database value "a""#
    ),
    (RowDecodingError(.columnNotFound("zz"), context), #"column not found: "zz""#),
    (
      RowDecodingError(.keyNotFound(.init(CodingKeys.x)), context),
      #"key not found: CodingKeys(stringValue: "x", intValue: nil) ("x")"#
    ),
    (
      RowDecodingError(
        .keyNotFound(.init(CodingKeys.theURL, divergent: "theUrl", converted: "the_url")), context),
      #"key not found: CodingKeys(stringValue: "theURL", intValue: nil) ("theURL"), with divergent representation theUrl, converted to the_url"#
    ),
    (
      RowDecodingError(.keyNotFound(.init(CodingKeys.firstName, converted: "first_name")), context),
      #"key not found: CodingKeys(stringValue: "firstName", intValue: nil) ("firstName"), converted to first_name"#
    ),
    (RowDecodingError(.scopeNotFound("foo", available: []), context), #"scope not found: "foo""#),
    (
      RowDecodingError(.scopeNotFound("foo", available: ["book", "author"]), context),
      #"scope not found: "foo" - available scopes: ["author", "book"]"#
    ),
    (
      RowDecodingError(.scopeIsNull("author"), context),
      #"scope "author" only contains null values"#
    ),
    (
      RowDecodingError(.prefetchedRowsNotFound("zork", available: []), context),
      #"key for prefetched rows not found: "zork""#
    ),
    (
      RowDecodingError(.prefetchedRowsNotFound("zork", available: ["books"]), context),
      #"key for prefetched rows not found: "zork" - available keys: ["books"]"#
    ),
  ])
  func reasonsAreDescribed(error: RowDecodingError, reason: String) {
    let text = error.description
    #expect(text.hasPrefix(error.findings == nil ? "\(reason) - " : "\(reason)\n"))
    #expect(text.hasSuffix("- row: [a:1]"))
  }

  @Test func `The record type is shown when it is known`() {
    var error = RowDecodingError(.columnNotFound("zz"), Self.context)
    error.recordType = "Book"
    #expect(error.description == #"column not found: "zz" - row: [a:1], record: Book"#)
  }
}

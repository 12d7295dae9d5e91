import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Formats of dumps")
struct DumpFormatTests {
  private let rows: SQL = """
    SELECT 1 AS id, 'O''Brien' AS name, 1.5 AS ratio, X'01FF' AS data, NULL AS blank
    UNION ALL SELECT -2, 'é|"', 0.25, X'', 9223372036854775807
    """
  private let noRow: SQL = "SELECT 1 AS id WHERE 0"

  private func dump(_ sql: SQL, _ format: some DumpFormat) throws -> String {
    let stream = DumpText()
    try DatabaseQueue().dumpSQL(sql, format: format, to: stream)
    return stream.text
  }

  @Test
  func `the debug format writes a line per row, and blobs as texts or literals`() throws {
    let text = try dump(rows, .debug())
    #expect(
      text == """
        1|O'Brien|1.5|X'01FF'|
        -2|é|"|0.25||9223372036854775807

        """)
  }

  @Test
  func `the debug format writes blobs of 16 bytes as UUIDs, unless they are texts`() throws {
    let text = try dump("SELECT X'00112233445566778899AABBCCDDEEFF'", .debug())
    #expect(text == "00112233-4455-6677-8899-AABBCCDDEEFF\n")
    #expect(try dump("SELECT CAST('sixteen letters!' AS BLOB)", .debug()) == "sixteen letters!\n")
  }

  @Test
  func `numbers are those of Swift, of SQLite, or of JSON`() throws {
    let sql: SQL = "SELECT 1, 1.0, 1e20, -0.25, 9e999"
    #expect(try dump(sql, .debug()) == "1|1.0|1e+20|-0.25|inf\n")
    #expect(try dump(sql, .list()) == "1|1.0|1.0e+20|-0.25|Inf\n")
    #expect(try dump(sql, .quote()) == "1,1.0,1.0e+20,-0.25,9.0e+999\n")
    #expect(
      try dump(sql, .json()) == #"[{"1":1,"1.0":1,"1e20":1e+20,"-0.25":-0.25,"9e999":"inf"}]"#
        + "\n")
  }

  @Test
  func `columns of the library are left out of rows, and stay in headers`() throws {
    let some: SQL = "SELECT 1 AS a, 2 AS grdb_b, 3 AS grdbc UNION ALL SELECT 4, 5, 6"
    #expect(try dump(some, .debug(header: true)) == "a|grdb_b|grdbc\n1|3\n4|6\n")
    #expect(try dump(some, .list(header: true)) == "a|grdb_b|grdbc\n1|3\n4|6\n")
    #expect(try dump(some, .quote(header: true)) == "'a','grdb_b','grdbc'\n1,3\n4,6\n")
    #expect(try dump(some, .line()) == "    a = 1\ngrdbc = 3\n\n    a = 4\ngrdbc = 6\n")
    #expect(try dump(some, .json()) == "[{\"a\":1,\"grdbc\":3},\n{\"a\":4,\"grdbc\":6}]\n")
    let all: SQL = "SELECT 1 AS grdb_a, 2 AS grdb_b"
    #expect(try dump(all, .debug()) == "\n")
    #expect(try dump(all, .line()) == "")
    #expect(try dump(all, .json()) == "[{}]\n")
  }

  @Test
  func `the debug format writes a header once, and the separator and NULL that it is given`() throws
  {
    let sql: SQL = "SELECT 1 AS a, NULL AS b UNION ALL SELECT 2, 3"
    let text = try dump(sql, .debug(header: true, separator: " ; ", nullValue: "null"))
    #expect(text == "a ; b\n1 ; null\n2 ; 3\n")
    var format = DebugDumpFormat(header: true)
    format.header = false
    #expect(try dump(sql, format) == "1|\n2|3\n")
  }

  @Test
  func `the list format writes blobs as texts`() throws {
    let sql: SQL = "SELECT 'a' AS x, X'62' AS y, NULL AS z UNION ALL SELECT 1, 2.0, -0.25"
    #expect(try dump(sql, .list()) == "a|b|\n1|2.0|-0.25\n")
    #expect(
      try dump(sql, .list(header: true, separator: ",", nullValue: "?"))
        == "x,y,z\na,b,?\n1,2.0,-0.25\n")
    var format = ListDumpFormat(header: true)
    format.header = false
    #expect(try dump(sql, format) == "a|b|\n1|2.0|-0.25\n")
  }

  @Test
  func `the quote format writes literals`() throws {
    let text = try dump(rows, .quote())
    #expect(
      text == """
        1,'O''Brien',1.5,X'01FF',NULL
        -2,'é|"',0.25,X'',9223372036854775807

        """)
    #expect(
      try dump("SELECT 1 AS \"a'b\"", .quote(header: true, separator: "|")) == "'a''b'\n1\n")
    var format = QuoteDumpFormat(header: true)
    format.header = false
    #expect(try dump("SELECT 1 AS a", format) == "1\n")
    #expect(try dump("SELECT 'a' || char(0)", .quote()) == "('a' || char(0) || '')\n")
  }

  /// Of these, SQLite 3.40 reads the 21 digits as a neighbor.
  @Test(arguments: [7.063288409065371e-304, 1.4373092015969211e-294, -1.118130949790924e-302])
  func `the quote format writes what reads as the same double`(double: Double) throws {
    let quoted = try dump("SELECT \(double)", .quote())
    #expect(
      try DatabaseQueue().read { db in try Double.fetchOne(db, sql: "SELECT \(quoted)") } == double)
  }

  @Test
  func `the line format aligns the names, and separates rows with a blank line`() throws {
    let sql: SQL = "SELECT 'Arthur' AS name, NULL AS highScore UNION ALL SELECT 'Barbara', 5"
    #expect(
      try dump(sql, .line(nullValue: "-")) == """
             name = Arthur
        highScore = -

             name = Barbara
        highScore = 5

        """)
    #expect(try dump("SELECT 1 AS id", .line()) == "id = 1\n")
    #expect(
      try dump("SELECT 1 AS id; CREATE TABLE t(a); SELECT 2 AS id, 3 AS price", .line())
        == "id = 1\n\n   id = 2\nprice = 3\n")
  }

  @Test
  func `the JSON format writes an array of objects, in the order of the columns`() throws {
    let text = try dump(rows, .json())
    #expect(
      text == """
        [{"id":1,"name":"O'Brien","ratio":1.5,"data":"Af8=","blank":null},
        {"id":-2,"name":"é|\\"","ratio":0.25,"data":"","blank":9223372036854775807}]

        """)
  }

  @Test
  func `the JSON format obeys its encoder`() throws {
    let encoder = JSONDumpFormat.defaultEncoder
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.dataEncodingStrategy = .custom { data, encoder in
      var container = encoder.singleValueContainer()
      try container.encode("\(data.count) bytes")
    }
    #expect(
      try dump(
        "SELECT 'x' AS name, X'0102' AS data UNION ALL SELECT 'y', 9e999", .json(encoder: encoder))
          == """
          [
            {
              "data":"2 bytes",
              "name":"x"
            },
            {
              "data":"inf",
              "name":"y"
            }
          ]

          """)
  }

  @Test
  func `the JSON format reports what its encoder can't write`() throws {
    let sql: SQL = "SELECT 9e999 AS infinity"
    #expect(throws: EncodingError.self) { try dump(sql, .json(encoder: JSONEncoder())) }
  }

  @Test
  func `without rows, only the JSON format writes something`() throws {
    #expect(try dump(noRow, .debug(header: true)) == "")
    #expect(try dump(noRow, .list(header: true)) == "")
    #expect(try dump(noRow, .quote(header: true)) == "")
    #expect(try dump(noRow, .line()) == "")
    #expect(try dump(noRow, .json()) == "[]\n")
    #expect(try dump("CREATE TABLE t(a)", .json()) == "")
  }

  @Test
  func `the JSON format repeats names that columns share, and leaves slashes`() throws {
    #expect(
      try dump("SELECT 1 AS a, 'b/c' AS a", .json()) == #"[{"a":1,"a":"b/c"}]"# + "\n")
  }

  @Test
  func `the state of a format ends with the statement`() throws {
    let sql: SQL = "SELECT \(1) AS a; CREATE TABLE t(b); SELECT \(2) AS c, 3 AS d"
    #expect(try dump(sql, .debug(header: true)) == "a\n1\nc|d\n2|3\n")
    #expect(try dump(sql, .json()) == "[{\"a\":1}]\n[{\"c\":2,\"d\":3}]\n")
  }

  @Test
  func `a format of the user gets the rows, and the end of each statement`() throws {
    struct Count: DumpFormat {
      var count = 0

      mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        count += 1
      }

      mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        stream.write("\(count) rows\n")
      }
    }
    #expect(try dump("SELECT 1 UNION SELECT 2; SELECT 1 WHERE 0", Count()) == "2 rows\n0 rows\n")
  }

  @Test
  func `a margin is a newline before the next text, unless that begins with one`() throws {
    struct Margins: DumpFormat {
      mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        stream.margin()
        stream.write("")
        stream.write("a\n")
        stream.margin()
        stream.margin()
        stream.write("b\n")
        stream.margin()
        stream.write("\nc\n")
      }

      mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        stream.margin()
      }
    }
    #expect(try dump("SELECT 1", Margins()) == "\na\n\nb\n\nc\n")
  }
}

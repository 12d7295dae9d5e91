import Foundation
import Quarry
import Testing

/// A stream that keeps what is written.
final class DumpText: TextOutputStream {
  private(set) var text = ""

  func write(_ string: String) { text += string }
}

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

  @Test("The debug format writes a line per row, and blobs as literals")
  func debug() throws {
    let text = try dump(rows, .debug())
    #expect(
      text == """
        1|O'Brien|1.5|X'01FF'|
        -2|é|"|0.25|X''|9223372036854775807

        """)
  }

  @Test("The debug format writes blobs of 16 bytes as UUIDs")
  func debugUUID() throws {
    let text = try dump("SELECT X'00112233445566778899AABBCCDDEEFF'", .debug())
    #expect(text == "00112233-4455-6677-8899-AABBCCDDEEFF\n")
  }

  @Test("The debug format writes a header once, and the separator and NULL that it is told")
  func debugOptions() throws {
    let sql: SQL = "SELECT 1 AS a, NULL AS b UNION ALL SELECT 2, 3"
    let text = try dump(sql, .debug(header: true, separator: " ; ", nullValue: "null"))
    #expect(text == "a ; b\n1 ; null\n2 ; 3\n")
    var format = DebugDumpFormat(header: true)
    format.header = false
    #expect(try dump(sql, format) == "1|\n2|3\n")
  }

  @Test("The list format writes blobs as texts")
  func list() throws {
    let sql: SQL = "SELECT 'a' AS x, X'62' AS y, NULL AS z UNION ALL SELECT 1, 2.0, -0.25"
    #expect(try dump(sql, .list()) == "a|b|\n1|2.0|-0.25\n")
    #expect(
      try dump(sql, .list(header: true, separator: ",", nullValue: "?"))
        == "x,y,z\na,b,?\n1,2.0,-0.25\n")
    var format = ListDumpFormat(header: true)
    format.header = false
    #expect(try dump(sql, format) == "a|b|\n1|2.0|-0.25\n")
  }

  @Test("The quote format writes literals")
  func quote() throws {
    let text = try dump(rows, .quote())
    #expect(
      text == """
        1, 'O''Brien', 1.5, X'01FF', NULL
        -2, 'é|"', 0.25, X'', 9223372036854775807

        """)
    #expect(
      try dump("SELECT 1 AS \"a'b\"", .quote(header: true, separator: "|")) == "'a''b'\n1\n")
    var format = QuoteDumpFormat(header: true)
    format.header = false
    #expect(try dump("SELECT 1 AS a", format) == "1\n")
  }

  @Test("The line format aligns the names, and separates rows with a blank line")
  func line() throws {
    let sql: SQL = "SELECT 'Arthur' AS name, NULL AS highScore UNION ALL SELECT 'Barbara', 5"
    #expect(
      try dump(sql, .line(nullValue: "-")) == """
             name = Arthur
        highScore = -

             name = Barbara
        highScore = 5

        """)
    #expect(try dump("SELECT 1 AS id", .line()) == "   id = 1\n")
  }

  @Test("The JSON format writes an array of objects, in the order of the columns")
  func json() throws {
    let text = try dump(rows, .json())
    #expect(
      text == """
        [{"id":1,"name":"O'Brien","ratio":1.5,"data":"Af8=","blank":null},
        {"id":-2,"name":"é|\\"","ratio":0.25,"data":"","blank":9223372036854775807}]

        """)
  }

  @Test("The JSON format obeys its encoder")
  func jsonEncoder() throws {
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
              "data" : "2 bytes",
              "name" : "x"
            },
            {
              "data" : "inf",
              "name" : "y"
            }
          ]

          """)
  }

  @Test("The JSON format reports what its encoder can't write")
  func jsonError() throws {
    let sql: SQL = "SELECT 9e999 AS infinity"
    #expect(throws: EncodingError.self) { try dump(sql, .json(encoder: JSONEncoder())) }
  }

  @Test("Without rows, only the JSON format writes something")
  func noRows() throws {
    #expect(try dump(noRow, .debug(header: true)) == "")
    #expect(try dump(noRow, .list(header: true)) == "")
    #expect(try dump(noRow, .quote(header: true)) == "")
    #expect(try dump(noRow, .line()) == "")
    #expect(try dump(noRow, .json()) == "[]\n")
    #expect(try dump("CREATE TABLE t(a)", .json()) == "")
  }

  @Test("The state of a format ends with the statement")
  func severalStatements() throws {
    let sql: SQL = "SELECT \(1) AS a; CREATE TABLE t(b); SELECT \(2) AS c, 3 AS d"
    #expect(try dump(sql, .debug(header: true)) == "a\n1\n\nc|d\n2|3\n")
    #expect(try dump(sql, .json()) == "[{\"a\":1}]\n\n[{\"c\":2,\"d\":3}]\n")
  }

  @Test("A format of the user gets the rows, and the end of each statement")
  func customFormat() throws {
    struct Count: DumpFormat {
      var count = 0

      mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        count += 1
      }

      mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        stream.write("\(count) rows\n")
      }
    }
    #expect(try dump("SELECT 1 UNION SELECT 2; SELECT 1 WHERE 0", Count()) == "2 rows\n\n0 rows\n")
  }

  @Test("A margin is a blank line between two texts, and nothing at both ends")
  func margins() throws {
    struct Margins: DumpFormat {
      mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        stream.margin()
        stream.write("")
        stream.write("a\n")
        stream.margin()
        stream.margin()
        stream.write("b\n")
      }

      mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {
        stream.margin()
      }
    }
    #expect(try dump("SELECT 1", Margins()) == "a\n\nb\n")
  }
}

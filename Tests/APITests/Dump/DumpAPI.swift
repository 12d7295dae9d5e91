import Foundation
import Quarry

private final class Text: TextOutputStream {
  func write(_ string: String) {}
}

private struct Dots: DumpFormat {
  mutating func writeRow(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) throws {
    stream.write(".")
  }

  mutating func finalize(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    stream.margin()
  }
}

func dumps(_ db: Database) throws {
  let stream = Text()
  try db.dumpSQL("SELECT \(1)")
  try db.dumpSQL("SELECT 1", format: Dots(), to: stream)
  try db.dumpRequest(Player.all())
  try db.dumpRequest(Player.all(), format: .json(), to: stream)
  try db.dumpTables(["player"])
  try db.dumpTables(
    ["player"], format: .quote(), tableHeader: .always, stableOrder: true, to: stream)
  try db.dumpTables(["player"], tableHeader: .automatic)
  try db.dumpContent()
  try db.dumpContent(format: .line(), to: stream)
  try db.dumpSchema()
  try db.dumpSchema(to: stream)
}

func dumps(_ reader: any DatabaseReader) throws {
  let stream = Text()
  try reader.dumpSQL("SELECT 1", format: .debug(), to: stream)
  try reader.dumpRequest(Player.all(), format: .list(), to: stream)
  try reader.dumpTables(
    ["player"], format: .debug(), tableHeader: .always, stableOrder: true, to: stream)
  try reader.dumpContent(format: .debug(), to: stream)
  try reader.dumpSchema(to: stream)
}

func dumpFormats() {
  var debug = DebugDumpFormat.debug(header: true, separator: ",", nullValue: "-")
  debug = DebugDumpFormat(header: true, separator: ",", nullValue: "-")
  debug.header = false
  debug.separator = "|"
  debug.nullValue = ""
  var json = JSONDumpFormat.json(encoder: JSONDumpFormat.defaultEncoder)
  json = JSONDumpFormat(encoder: JSONEncoder())
  json.encoder = JSONEncoder()
  var line = LineDumpFormat.line(nullValue: "-")
  line = LineDumpFormat(nullValue: "-")
  line.nullValue = ""
  var list = ListDumpFormat.list(header: true, separator: ",", nullValue: "-")
  list = ListDumpFormat(header: true, separator: ",", nullValue: "-")
  list.header = false
  list.separator = "|"
  list.nullValue = ""
  var quote = QuoteDumpFormat.quote(header: true, separator: ",")
  quote = QuoteDumpFormat(header: true, separator: ",")
  quote.header = false
  quote.separator = ", "
}

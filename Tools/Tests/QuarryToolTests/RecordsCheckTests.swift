import Foundation
import Quarry
import Testing

/// `quarry records --check`.
struct RecordsCheckTests {
  @Test func `a file is compared with the records of a database`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let file = scratch / "Records.swift"
      try #expect(Tool.quarry("records", path, "--check", file).errors.hasSuffix("no such file\n"))
      try #expect(Tool.quarry("records", path, "--to", file).code == 0)
      try #expect(
        Tool.quarry("records", path, "--check", file) == Run(output: "", errors: "", code: 0))

      let written = try String(contentsOfFile: file, encoding: .utf8)
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in try db.execute(sql: "ALTER TABLE author ADD COLUMN born INTEGER") }
      try queue.close()
      let run = try Tool.quarry("records", path, "--check", file)
      #expect(
        run.output == """
          --- \(file)
          +++ records of \(path)
          @@ -5,6 +5,7 @@
             var id: Int64?
             var name: String
             var country: String?
          +  var born: Int?
           
             mutating func didInsert(_ inserted: InsertionSuccess) {
               id = inserted.rowID
          @@ -14,6 +15,7 @@
               static let id = Column(CodingKeys.id)
               static let name = Column(CodingKeys.name)
               static let country = Column(CodingKeys.country)
          +    static let born = Column(CodingKeys.born)
             }
           
             static let books = hasMany(Book.self)

          """)
      #expect(run.errors == "quarry: \(file): not the records of \(path); --to writes them\n")
      #expect(run.code == 1)
      // The file is as it was.
      try #expect(String(contentsOfFile: file, encoding: .utf8) == written)
    }
  }

  @Test(arguments: [
    ("", "@@ -0,0 ", ["+import Quarry"]),
    ("import Quarry\r\n", "@@ -1,1 ", ["-import Quarry\\r", "+import Quarry"]),
    (
      "import Quarry", "@@ -1,1 ",
      ["-import Quarry", "\\ No newline at end of file", "+import Quarry"]
    ),
  ])
  func `a file differs in its ends of lines, too`(
    text: String, place: String, lines: [String]
  ) throws {
    try withScratch { scratch in
      let path = try scratch.database("some.sqlite", "CREATE VIEW v AS SELECT 'a' AS a;")
      let file = try scratch.file("Records.swift", text)
      let run = try Tool.quarry("records", path, "--check", file)
      #expect(run.code == 1)
      try #require(run.lines.count > 3)
      #expect(run.lines[2].hasPrefix(place))
      #expect(Array(run.lines.dropFirst(3).prefix(lines.count)) == lines)
    }
  }
}

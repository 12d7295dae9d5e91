import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

@Suite("CSV files as tables")
struct CSVTableTests {
  /// Calls `body` with a connection that has a CSV file as the table `t`.
  private func withCSV<T>(
    _ content: String, _ make: (String) throws -> CSVTable = { try CSVTable(path: $0) },
    _ body: (Database, String) throws -> T
  ) throws -> T {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/t.csv"
      try Data(content.utf8).write(to: URL(fileURLWithPath: path))
      return try DatabaseQueue().inDatabase { db throws -> T in
        try db.register(table: "t", make(path))
        return try body(db, path)
      }
    }
  }

  private func rows(
    _ content: String, _ make: (String) throws -> CSVTable = { try CSVTable(path: $0) },
    sql: String = "SELECT * FROM t"
  ) throws -> [[DatabaseValue]] {
    try withCSV(content, make) { db, _ throws in
      try Row.fetchAll(db, sql: sql).map { Array($0.databaseValues) }
    }
  }

  /// The message of an error, without the path of the file.
  private func message(
    _ content: String, _ make: (String) throws -> CSVTable = { try CSVTable(path: $0) }
  ) throws -> String? {
    var path = ""
    let error = databaseError {
      try withCSV(content, make) { db, filePath in
        path = filePath
        _ = try Row.fetchAll(db, sql: "SELECT * FROM t")
      }
    }
    guard let message = error?.message else { return nil }
    guard path.isEmpty else { return message.replacingOccurrences(of: path, with: "FILE") }
    return message.split(separator: "/t.csv").last.map { "FILE" + $0 }
  }

  @Test func `a quote in a path is doubled, also before a combining character`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/o'\u{301}'x.csv"
      try Data("title\nEmma\n".utf8).write(to: URL(fileURLWithPath: path))
      try DatabaseQueue().inDatabase { db in
        try CSVModule.register(on: db)
        try db.create(virtualTable: "t", using: CSVModule()) { t in t.path = path }
        try #expect(String.fetchAll(db, sql: "SELECT title FROM t") == ["Emma"])
      }
    }
  }

  @Test func `the header names the columns`() throws {
    try withCSV("isbn,the title,\"a \"\"b\"\"\"\n111,Emma,x\n") { db, _ throws in
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM t") == [
          ["isbn": "111", "the title": "Emma", "a \"b\"": "x"]
        ])
      #expect(try Table("t").filter(Column("the title") == "Emma").fetchCount(db) == 1)
    }
  }

  @Test(
    arguments: [
      ("a,b\n1,2\n3,4\n", [["1", "2"], ["3", "4"]]),
      ("a,b\r\n1,2\r\n3,4\r\n", [["1", "2"], ["3", "4"]]),
      ("a,b\r1,2\r3,4\r", [["1", "2"], ["3", "4"]]),
      ("a,b\n1,2\n3,4", [["1", "2"], ["3", "4"]]),
      ("a,b\n\n1,2\n\r\n\n3,4\n\n", [["1", "2"], ["3", "4"]]),
      ("\u{feff}a,b\n1,2\n", [["1", "2"]]),
      ("a,b\n,\n", [["", ""]]),
      ("a,b\n1,", [["1", ""]]),
      ("a,b\n\"\",\"\"\"\"\n", [["", "\""]]),
      ("a,b\n\"x,y\",\"1\n2\r\n3\"\n", [["x,y", "1\n2\r\n3"]]),
      ("a,b\n\"x\"\"y\"\"\",z\n", [["x\"y\"", "z"]]),
      ("a,b\n é , ü\0 \n", [[" é ", " ü\0 "]]),
      ("a\n1\n\n2\n", [["1"], [""], ["2"]]),
      ("a,b\n", []),
      ("a,b", []),
      ("\"a\nb\",c\n1,2\n", [["1", "2"]]),
    ] as [(String, [[String]])])
  func `records of a file`(content: String, expected: [[String]]) throws {
    #expect(try rows(content) == expected.map { $0.map(\.databaseValue) })
  }

  @Test(arguments: [
    ("", "FILE:1: the file is empty"),
    ("\u{feff}", "FILE:1: the file is empty"),
    ("a,b\n1\n", "t: FILE:2: 1 fields instead of 2"),
    ("a,b\n1,2\n\n1,2,3\n", "t: FILE:4: 3 fields instead of 2"),
    ("a,b\n1,\"2\n\n", "t: FILE:2: a quote is never closed"),
    ("a,b\n\"1\n\n\",\"2", "t: FILE:4: a quote is never closed"),
    ("a,b\r\n\r\n1,2\"\r\n", "t: FILE:3: a quote inside of a field that is not in quotes"),
    ("a,b\n\"1\"x,2\n", "t: FILE:2: text after a closing quote"),
    ("a,b\n\"1\n\"x,2\n", "t: FILE:3: text after a closing quote"),
    ("a,,c\n", "FILE:1: column 2 has no name"),
  ])
  func `malformed files are errors with the line`(content: String, expected: String) throws {
    #expect(try message(content) == expected)
  }

  @Test func `duplicate names in the header are an error`() throws {
    #expect(
      databaseError { try rows("a,b,A\n") }?.message == "t: duplicate column name: A")
    #expect(
      try rows("a,b,A\n1,2,3\n") { path in
        try CSVTable(
          path: path,
          columns: [VirtualTableColumn("a"), VirtualTableColumn("b"), VirtualTableColumn("c")])
      } == [["1".databaseValue, "2".databaseValue, "3".databaseValue]])
  }

  @Test func `other encodings are errors`() throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/t.csv"
      try Data([0xFF, 0xFE, 0x61, 0]).write(to: URL(fileURLWithPath: path))
      #expect(
        databaseError { try CSVTable(path: path) }?.message
          == "\(path):1: the file is not UTF-8, but UTF-16")
      try Data("a,b\n1,2\nx\u{e9},3\n".unicodeScalars.map { UInt8($0.value) })
        .write(to: URL(fileURLWithPath: path))
      try withTable(CSVTable(path: path), named: "t") { db throws in
        let error = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM t") }
        #expect(error?.message == "t: \(path):3: the text is not UTF-8")
        // Fields that nobody needs are not looked at.
        #expect(try String.fetchAll(db, sql: "SELECT b FROM t") == ["2", "3"])
      }
    }
  }

  @Test func `without header the columns are numbered, or given`() throws {
    let content = "1;x\n2;y\n"
    let numbered = try withCSV(
      content, { try CSVTable(path: $0, hasHeader: false, delimiter: ";") }
    ) { db, _ in try Row.fetchOne(db, sql: "SELECT * FROM t") }
    #expect(numbered == ["column1": "1", "column2": "x"])
    let given = try withCSV(
      content,
      {
        try CSVTable(
          path: $0,
          columns: [VirtualTableColumn("id", .integer), VirtualTableColumn("name", .text)],
          hasHeader: false, delimiter: ";")
      }
    ) { db, _ in try Row.fetchAll(db, sql: "SELECT * FROM t WHERE id = 2") }
    #expect(given == [["id": 2, "name": "y"]])
    let wrong = databaseError {
      try rows(content) {
        try CSVTable(
          path: $0, columns: [VirtualTableColumn("id")], hasHeader: false, delimiter: ";")
      }
    }
    #expect(wrong?.message?.hasSuffix("t.csv:1: 2 fields instead of 1") == true)
  }

  @Test func `values are converted as in a table`() throws {
    let texts = [
      "12", "-7", "1.5", "1e3", "3.0", " 4 ", "007", "abc", "", "9223372036854775808", "1x", "-",
      "+5",
      "0.1", "123456789012345678", "1234567890123456789", "523446.8176314671", "1E5",
      "1e99999999999999999999", "-9223372036854775808", "-9223372036854775808.0",
      "-9223372036854775809", "9223372036854775807.0",
    ]
    let types: [Database.ColumnType] = [.integer, .real, .numeric, .text, .blob]
    let content =
      "i,r,n,t,b\n"
      + texts.map { text in
        Array(repeating: text.isEmpty ? "\"\"" : text, count: 5).joined(separator: ",") + "\n"
      }.joined()
    let names = ["i", "r", "n", "t", "b"]
    try withCSV(
      content,
      { try CSVTable(path: $0, types: Dictionary(uniqueKeysWithValues: zip(names, types))) }
    ) { db, _ throws in
      try db.execute(sql: "CREATE TABLE o (i INTEGER, r REAL, n NUMERIC, t TEXT, b BLOB)")
      for text in texts {
        try db.execute(sql: "INSERT INTO o VALUES (?1, ?1, ?1, ?1, ?1)", arguments: [text])
      }
      // An empty field of a number is NULL.
      try db.execute(sql: "UPDATE o SET i = NULL, r = NULL, n = NULL WHERE t = ''")
      for name in names {
        #expect(
          try DatabaseValue.fetchAll(db, sql: "SELECT \(name) FROM t").map(\.storage)
            == DatabaseValue.fetchAll(db, sql: "SELECT \(name) FROM o").map(\.storage))
        for text in texts {
          for value in [text.databaseValue, Int(text)?.databaseValue, Double(text)?.databaseValue] {
            let expected = try Int.fetchOne(
              db, sql: "SELECT COUNT(*) FROM o WHERE \(name) = ?", arguments: [value])
            let found = try Int.fetchOne(
              db, sql: "SELECT COUNT(*) FROM t WHERE \(name) = ?", arguments: [value])
            #expect(found == expected, "\(name) = \(value ?? .null)")
          }
        }
      }
    }
  }

  @Test func `a field stands for NULL where it is not in quotes`() throws {
    let content = "a,n\nNULL,NULL\n\"NULL\",\"NULL\"\n,\nx,1\n"
    let make = { (path: String) throws -> CSVTable in
      try CSVTable(path: path, types: ["n": .integer], null: "NULL")
    }
    let (null, text, empty) = (DatabaseValue.null, "NULL".databaseValue, "".databaseValue)
    let found = try rows(content, make)
    #expect(
      found == [
        [null, null], [text, text], [empty, empty], ["x".databaseValue, 1.databaseValue],
      ])
    // The numbers of lines.
    let equal = try rows(content, make, sql: "SELECT rowid FROM t WHERE a = 'NULL'")
    #expect(equal == [[3.databaseValue]])
    let missing = try rows(content, make, sql: "SELECT rowid FROM t WHERE n IS NULL")
    #expect(missing == [[2.databaseValue]])
  }

  @Test func `conditions find the rows`() throws {
    let content = "id,title\n1,Emma\n2,\"The \"\"Trial\"\"\"\n3,\"Emma\"\n4,\n"
    try withCSV(content) { db, _ throws in
      func ids(_ condition: String) throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT CAST(id AS INTEGER) FROM t WHERE \(condition)")
      }
      #expect(try ids("title = 'Emma'") == [1, 3])
      #expect(try ids("title = 'The \"Trial\"'") == [2])
      #expect(try ids("title = ''") == [4])
      #expect(try ids("title = NULL") == [])
      #expect(try ids("title = 'emma' COLLATE NOCASE") == [1, 3])
      #expect(try ids("title IN ('Emma', '', 'x')") == [1, 3, 4])
      #expect(try ids("id = 2") == [2])
      #expect(try ids("id = '2' AND title = 'Emma'") == [])
      #expect(try ids("id > '2' AND title <> ''") == [3])
      #expect(try ids("title LIKE 'e%'") == [1, 3])
      #expect(try ids("title = x'456d6d61'") == [])
    }
  }

  @Test func `integers of more than 53 bits are found as a REAL column rounds them`() throws {
    let content = "isbn,title\n9007199254740993,Emma\n9007199254740992,Dracula\n"
    for condition in ["= 9007199254740992", "IN (9007199254740992, 5)"] {
      let found = try rows(
        content, { try CSVTable(path: $0, types: ["isbn": .real]) },
        sql: "SELECT title FROM t WHERE isbn \(condition)")
      #expect(found == [["Emma".databaseValue], ["Dracula".databaseValue]], "\(condition)")
    }
  }

  /// The affinity of numbers makes 12 of the text 012, and that of the column would not.
  @Test func `row values in a list have the rows of an ordinary table`() throws {
    try withCSV("a,b\n012,1\n12,1\n13,1\n") { db, _ throws in
      try db.execute(
        sql: "CREATE TABLE o (code INTEGER, kind INTEGER); INSERT INTO o VALUES (12, 1)")
      let codes = try String.fetchAll(
        db, sql: "SELECT a FROM t WHERE (a, b) IN (SELECT code, kind FROM o)")
      #expect(codes == ["012", "12"])
    }
  }

  @Test func `the rowid is the line`() throws {
    let content = "a\n1\n\"2\n2\"\n3\n"
    #expect(
      try rows(content, sql: "SELECT rowid FROM t WHERE a <> '1'")
        == [[3.databaseValue], [5.databaseValue]])
  }

  @Test func `records that are longer than the buffer`() throws {
    let long = String(repeating: "x\"\"\r\n", count: 100_000)
    let text = String(repeating: "x\"\r\n", count: 100_000)
    let content = "a,b\n1,\"\(long)\"\n2,short\n" + (3...40_000).map { "\($0),é\n" }.joined()
    try withCSV(content) { db, _ throws in
      #expect(try String.fetchOne(db, sql: "SELECT b FROM t WHERE a = '1'") == text)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t WHERE b = 'é'") == 39_998)
      #expect(try Int.fetchOne(db, sql: "SELECT rowid FROM t WHERE a = '40000'") == 140_001)
    }
  }

  @Test func `a file that is written to during a scan is an error`() throws {
    let content = "a,b\n" + (1...50_000).map { "\($0),xyz\n" }.joined()
    try withCSV(content) { db, path throws in
      let cursor = try Int.fetchCursor(db, sql: "SELECT CAST(a AS INTEGER) FROM t")
      #expect(try cursor.next() == 1)
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("1,2\n".utf8))
      try handle.close()
      let error = databaseError { while try cursor.next() != nil {} }
      #expect(error?.message?.hasSuffix("the file has changed while it was read") == true)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 50_001)
    }
  }

  @Test func `a file that is deleted or replaced during a scan is read to its end`() throws {
    let content = "a,b\n" + (1...50_000).map { "\($0),xyz\n" }.joined()
    try withCSV(content) { db, path throws in
      var cursor = try Int.fetchCursor(db, sql: "SELECT 1 FROM t")
      _ = try cursor.next()
      try Data("a,b\n7,8\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      var count = 1
      while try cursor.next() != nil { count += 1 }
      #expect(count == 50_000)
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM t") == [["a": "7", "b": "8"]])
      cursor = try Int.fetchCursor(db, sql: "SELECT 1 FROM t")
      #expect(try cursor.next() == 1)
      try FileManager.default.removeItem(atPath: path)
      #expect(try cursor.next() == nil)
      let error = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM t") }
      #expect(error?.message == "t: \(path): No such file or directory")
      try Data("a,c\n7,8\n".utf8).write(to: URL(fileURLWithPath: path))
      let changed = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM t") }
      #expect(changed?.message == "t: \(path):1: the columns have changed: a, c")
    }
  }

  @Test func `columns of equivalent names are not mixed up`() throws {
    let (composed, decomposed) = (Acute.composed, Acute.decomposed)
    try withCSV("\(composed),\(decomposed)\n1,2\n") { db, path throws in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM t"))
      #expect(row[composed] == "1" && row[decomposed] == "2")
      try Data("\(decomposed),\(composed)\n2,1\n".utf8).write(to: URL(fileURLWithPath: path))
      let changed = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM t") }
      #expect(changed?.message?.contains("the columns have changed") == true)
    }
  }

  @Test func `what is no file is an error`() throws {
    try withTemporaryDirectory { directory throws in
      let missing = databaseError { try CSVTable(path: directory + "/none.csv") }
      #expect(missing?.resultCode == .SQLITE_CANTOPEN)
      #expect(missing?.message == "\(directory)/none.csv: No such file or directory")
      let folder = databaseError { try CSVTable(path: directory) }
      #expect(folder?.message == "\(directory): not a regular file")
      #expect(mkfifo(directory + "/pipe", 0o600) == 0)
      let pipe = databaseError { try CSVTable(path: directory + "/pipe") }
      #expect(pipe?.message == "\(directory)/pipe: not a regular file")
    }
  }

  @Test func `a file is not read from a path with a NUL`() throws {
    try withTemporaryDirectory { directory throws in
      let file = directory + "/books.csv"
      try Data("title\nThe Trial\n".utf8).write(to: URL(fileURLWithPath: file))
      _ = try CSVTable(path: file)
      let cut = databaseError { try CSVTable(path: file + "\0.csv") }
      #expect(cut?.resultCode == .SQLITE_CANTOPEN)
      #expect(
        cut?.message
          == "the path contains a NUL character, and would be cut off there: remove it")
    }
  }

  @Test(arguments: [nil, [VirtualTableColumn("a", .text)]] as [[VirtualTableColumn]?])
  func `empty lines before the header are passed over`(columns: [VirtualTableColumn]?) throws {
    let found = try rows("\n\na\n1\n\n2\n") { try CSVTable(path: $0, columns: columns) }
    #expect(found == [["1".databaseValue], ["".databaseValue], ["2".databaseValue]])
  }

  @Test(arguments: ["\"", "\n", "é", "\r\n"] as [Character])
  func `delimiters that can't be`(delimiter: Character) throws {
    let error = databaseError { try rows("a\n") { try CSVTable(path: $0, delimiter: delimiter) } }
    #expect(error?.message?.hasPrefix("no delimiter of fields: ") == true)
  }

  @Test func `types of columns that are not there are an error`() throws {
    let error = databaseError { try rows("a\n") { try CSVTable(path: $0, types: ["B": .text]) } }
    #expect(error?.message?.hasSuffix(":1: no such column: B") == true)
  }

  @Test func `a scan that finds nothing is interrupted`() throws {
    let content = "a,b\n" + (1...60_000).map { "\($0),xyz\n" }.joined()
    try withCSV(content) { db, _ throws in
      db.add(
        function: DatabaseFunction("stop", argumentCount: 1) { _ in
          throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "stopped")
        })
      // SQLite sees one row in ten thousand, and evaluates the other condition.
      let sql = "SELECT a FROM t WHERE stop(a) AND b = 'none'"
      #expect(databaseError { try Row.fetchAll(db, sql: sql) } != nil)
      #expect(try Row.fetchAll(db, sql: "SELECT a FROM t WHERE b = 'none'") == [])
    }
  }

  @Test func `random files are read as a naive reader does`() throws {
    let run = RandomRun("CSV")
    let count = try run.repeated(seconds: 0.5, atMost: 300) { random in
      let width = 1 + random.below(4)
      let records = (0..<random.below(12)).map { _ in
        (0..<width).map { _ in random.text(upTo: random.chance(20) ? 2000 : 8) }
      }
      let lineEnd = random.pick(["\n", "\r\n", "\r"])
      let delimiter = random.pick([",", ";", "\t", "|"]) as Character
      let special = Set("\"\r\n\u{feff}\(delimiter)".unicodeScalars)
      func field(_ text: String) -> String {
        let needsQuotes = text.isEmpty || text.unicodeScalars.contains(where: special.contains)
        guard needsQuotes || random.chance(3) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"", options: .literal) + "\""
      }
      var content = ""
      for record in records {
        content += record.map { field($0) }.joined(separator: String(delimiter)) + lineEnd
      }
      if !content.isEmpty, random.chance(2) {
        content.unicodeScalars.removeLast(lineEnd.unicodeScalars.count)
      }
      let columns = (0..<width).map { VirtualTableColumn("c\($0)", .text) }
      let found = try rows(content) {
        try CSVTable(path: $0, columns: columns, hasHeader: false, delimiter: delimiter)
      }
      #expect(found == records.map { $0.map(\.databaseValue) }, "\(run.seed)")
    }
    #expect(count > 0)
  }

  @Test func `random bytes are read, or are an error`() throws {
    let run = RandomRun("CSV bytes")
    try withTemporaryDirectory { directory throws in
      let path = directory + "/t.csv"
      run.repeated(seconds: 0.3, atMost: 500) { random in
        let bytes = (0..<random.below(60)).map { _ in
          random.pick(Array("a1,\"\r\n".utf8) + [0xFF, 0xEF, 0xBB, 0xBF, 0])
        }
        try? Data(bytes).write(to: URL(fileURLWithPath: path))
        do {
          try withTable(CSVTable(path: path, hasHeader: random.chance(2)), named: "t") {
            db throws in
            _ = try Row.fetchAll(db, sql: "SELECT * FROM t")
          }
        } catch {
          #expect(error is DatabaseError)
        }
      }
    }
  }
}

@Suite("The module csv")
struct CSVModuleTests {
  @Test func `a file is a table of the database file`() throws {
    try withTemporaryDirectory { directory throws in
      let csv = directory + "/it's; books.csv"
      try Data("isbn;price\n111;9.5\n222;12\n".utf8).write(to: URL(fileURLWithPath: csv))
      var configuration = Configuration()
      configuration.prepareDatabase { db in try CSVModule.register(on: db) }
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path, configuration: configuration).write { db in
        try db.create(virtualTable: "sale", using: CSVModule()) { t in
          t.path = csv
          t.delimiter = ";"
          t.column("the \"isbn\"", .text)
          t.column("price", .double)
        }
        let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master")
        #expect(
          sql == """
            CREATE VIRTUAL TABLE "sale" USING csv(filename='\(directory)/it''s; books.csv', \
            delimiter=';', "the ""isbn""\" TEXT, "price" DOUBLE)
            """)
      }
      try DatabaseQueue(path: path, configuration: configuration).read { db throws in
        #expect(
          try Row.fetchAll(db, sql: "SELECT * FROM sale WHERE price > 10") == [
            ["the \"isbn\"": "222", "price": 12.0]
          ])
      }
    }
  }

  @Test func `triggers and views can't read files`() throws {
    try withTemporaryDirectory { directory throws in
      let csv = directory + "/books.csv"
      try Data("a\n1\n".utf8).write(to: URL(fileURLWithPath: csv))
      try DatabaseQueue().inDatabase { db throws -> Void in
        try CSVModule.register(on: db)
        try db.create(virtualTable: "t", using: CSVModule()) { t in t.path = csv }
        try db.execute(sql: "CREATE VIEW v AS SELECT * FROM t")
        let error = databaseError { try Row.fetchAll(db, sql: "SELECT * FROM v") }
        #expect(error?.message == "unsafe use of virtual table \"t\"")
      }
    }
  }

  @Test(arguments: [
    ("csv", "t: missing option: filename"), ("csv(filename='')", "t: missing option: filename"),
    ("csv(filename='/none.csv')", "t: /none.csv: No such file or directory"),
    ("csv(filename='/none.csv', sheet=2)", "t: no such option: sheet=2"),
    ("csv(filename='/none.csv', header=maybe)", "t: header is neither yes nor no: maybe"),
    ("csv(filename='/none.csv', delimiter='ab')", "t: no such option: delimiter=ab"),
  ])
  func `wrong arguments are errors`(module: String, message: String) throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try CSVModule.register(on: db)
      #expect(
        databaseError { try db.create(virtualTable: "t", using: module) }?.message == message)
    }
  }
}

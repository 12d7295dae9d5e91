import Foundation
import Quarry
import QuarryTables

/// A CSV file of 1,000,000 lines: the rows that a condition on one column lets pass, by ways that
/// lead to the same sum.
///
/// - *scan*: a `CSVTable`, which reads the file in each query.
/// - *import*: `INSERT INTO … SELECT` from the `CSVTable` to an ordinary table, then the query.
/// - *query of the import*: what the query alone takes then, without an index.
/// - *shell*: the `sqlite3` program, where it is installed: `.import`, then the query.
struct CSVFiles {
  private static let lineCount = 1_000_000
  private static let cities = ["Lyon", "Oslo", "Porto", "Quito", "Riga", "Turin", "Utrecht"]
  private static let declaration =
    "CREATE TABLE loan (id INTEGER, city TEXT, title TEXT, days INTEGER)"
  private static let query = "SELECT SUM(days) FROM loan WHERE city = 'Quito' AND days > 20"

  static func text(rounds: Int) throws -> String {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path(of: "loans.csv")
    let size = try writeFile(path)
    var ways: [(String, () throws -> (Int, Clock))] = [
      ("scan", { try scan(path) }), ("import and query", { try importing(path, isTimed: true) }),
      ("query of the import", { try importing(path, isTimed: false) }),
    ]
    if let shell = shellPath {
      ways.append(("sqlite3: .import and query", { try runShell(shell, path) }))
    }
    let heading = "CSV file, \(lineCount) lines, \(size / 1_000_000) MB"
    return try ([heading] + lines(ways, rounds)).joined(separator: "\n")
  }

  private static func lines(
    _ ways: [(String, () throws -> (Int, Clock))], _ rounds: Int
  ) throws -> [String] {
    var times: [[Double]] = ways.map { _ in [] }
    var sums: Set<Int> = []
    for round in 0...rounds {
      for (index, way) in ways.enumerated() {
        let (sum, time) = try way.1()
        sums.insert(sum)
        if round > 0 { times[index].append(time.wall) }
      }
    }
    guard sums.count == 1 else { throw Failure("the sums differ: \(sums)") }
    return zip(ways, times).map { way, times in
      let name = way.0.padding(toLength: 30, withPad: " ", startingAt: 0)
      return "\(name)\((times.median * 1000).rounded(to: 0)) ms"
    }
  }

  /// The same lines on every machine. Each tenth title is in quotes.
  private static func writeFile(_ path: String) throws -> Int {
    var data = Data("id,city,title,days\n".utf8)
    var state: UInt32 = 1
    for id in 1...lineCount {
      state = state &* 1_664_525 &+ 1_013_904_223
      let number = Int(state >> 8)
      let title =
        id % 10 == 0 ? "\"The \"\"long\"\" way, \(number)\"" : "The title of book \(number)"
      let city = cities[number % cities.count]
      data.append(contentsOf: "\(id),\(city),\(title),\(number % 30)\n".utf8)
    }
    try data.write(to: URL(fileURLWithPath: path))
    return data.count
  }

  private static func table(_ path: String) throws -> CSVTable {
    try CSVTable(path: path, types: ["id": .integer, "days": .integer])
  }

  private static func scan(_ path: String) throws -> (Int, Clock) {
    try DatabaseQueue().inDatabase { db in
      try db.register(table: "loan", table(path))
      let start = Clock.now
      let sum = try Int.fetchOne(db, sql: query) ?? 0
      return (sum, Clock.now - start)
    }
  }

  private static func importing(_ path: String, isTimed: Bool) throws -> (Int, Clock) {
    try DatabaseQueue().inDatabase { db in
      try db.register(table: "file", table(path))
      var start = Clock.now
      try db.execute(sql: "\(declaration); INSERT INTO loan SELECT * FROM file")
      if !isTimed { start = Clock.now }
      let sum = try Int.fetchOne(db, sql: query) ?? 0
      return (sum, Clock.now - start)
    }
  }

  private static var shellPath: String? {
    ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  private static func runShell(_ shell: String, _ path: String) throws -> (Int, Clock) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = [
      ":memory:", declaration, ".import --csv --skip 1 '\(path)' loan", query,
    ]
    let output = Pipe()
    process.standardOutput = output
    let start = Clock.now
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let time = Clock.now - start
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let sum = Int(text) else { throw Failure("\(shell) printed \(text)") }
    return (sum, time)
  }
}

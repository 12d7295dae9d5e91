import Foundation
import Testing

struct DiagramTests {
  private func drawn(_ schema: String, _ options: String..., in scratch: Scratch) throws
    -> DrawnDiagram
  {
    let path = try scratch.database("\(UUID().uuidString).sqlite", schema)
    let svg = path + ".svg"
    let run = try Tool.run(
      Tool.url("quarry"), ["inspect", path, "--fast", "--diagram", svg] + options)
    try #require(run.code == 0, "\(run.errors)")
    return try DrawnDiagram(path: svg)
  }

  @Test func `a diagram is written for Mermaid, in addition to the text`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("inspect", path, "--diagram", scratch / "shop.mmd")
      try #expect(run == Tool.quarry("inspect", path))
      #expect(run.lines.contains("table book (3 rows, 4.0 KB)"))
      try #expect(
        String(contentsOfFile: scratch / "shop.mmd", encoding: .utf8) == """
          erDiagram
            t0["author"] {
              INTEGER id PK
              TEXT name "not null"
              TEXT country
            }
            t1["book"] {
              INTEGER id PK
              INTEGER authorId FK "not null"
              TEXT title "not null"
              INTEGER year
              REAL price
            }
            t0 ||--o{ t1 : "authorId"

          """)
    }
  }

  @Test func `a diagram with another ending is an error`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let run = try Tool.quarry("inspect", path, "--diagram", "shop.bmp")
      #expect(run.errors == "quarry: shop.bmp: a diagram ends with .svg or .mmd\n")
      #expect(run.code == 2)
    }
  }

  @Test(arguments: [(Schemas.shop, 2, 1), (Schemas.odd, 9, 6), ("", 0, 0)])
  func `a diagram is written as SVG, with all tables and keys`(
    schema: String, tables: Int, links: Int
  ) throws {
    try withScratch { scratch in
      let diagram = try drawn(schema, in: scratch)
      #expect(diagram.boxes.count == tables)
      #expect(diagram.lines.count == links)
      // The white sheet, and two for each table; the marks of the ends are two paths.
      #expect(diagram.elementCounts["rect"] == 1 + 2 * tables)
      #expect(diagram.elementCounts["path", default: 0] == 2 + links)
    }
  }

  @Test func `keys are marked, types are aligned, the sheet is white`() throws {
    try withScratch { scratch in
      let diagram = try drawn(
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
        CREATE TABLE b (
          aId INTEGER NOT NULL REFERENCES a, line INTEGER, note TEXT, other INTEGER REFERENCES a,
          PRIMARY KEY (aId, line));
        """, in: scratch)
      let texts = diagram.boxes.map { $0.texts.map(\.text) }
      #expect(
        texts == [
          ["a", "PK", "id", "INTEGER", "x", "TEXT"],
          [
            "b", "PK", "FK", "aId", "INTEGER", "PK", "line", "INTEGER", "note", "TEXT", "FK",
            "other",
            "INTEGER",
          ],
        ])
      for box in diagram.boxes {
        let types = box.texts.filter { ["INTEGER", "TEXT"].contains($0.text) }
        #expect(Set(types.map(\.position.x)).count == 1)
      }
      #expect(diagram.sheet?["fill"] == "#ffffff")
      let isDashed = Dictionary(diagram.lines.map { ($0.name, $0.isDashed) }) { first, _ in first }
      #expect(isDashed == ["b(aId) -> a(id)": false, "b(other) -> a(id)": true])
      #expect(diagram.flaws == [])
    }
  }

  @Test func `the table of migrations is left out, unless asked for`() throws {
    try withScratch { scratch in
      let schema =
        Schemas.shop + "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);"
      let names = try drawn(schema, in: scratch).boxes.map(\.name)
      #expect(names == ["author", "book"])
      let all = try drawn(schema, "--with-migrations", in: scratch).boxes.map(\.name)
      #expect(all == ["author", "book", "grdb_migrations"])
    }
  }

  @Test(arguments: [
    // A line from user to comment passes issue, which refers to user, too.
    """
    CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE issue (id INTEGER PRIMARY KEY, author INTEGER REFERENCES user, assignee INTEGER REFERENCES user);
    CREATE TABLE comment (id INTEGER PRIMARY KEY, issue INTEGER REFERENCES issue, author INTEGER REFERENCES user);
    """,
    // Self references, one of them of a key to itself.
    """
    CREATE TABLE person (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES person, mother INTEGER REFERENCES person);
    CREATE TABLE odd (id INTEGER PRIMARY KEY REFERENCES odd);
    """,
    // Keys of several columns, one of which belongs to two.
    """
    CREATE TABLE country (code TEXT PRIMARY KEY);
    CREATE TABLE city (country TEXT REFERENCES country, name TEXT, PRIMARY KEY (country, name));
    CREATE TABLE street (
      country TEXT, city TEXT, name TEXT, PRIMARY KEY (country, city, name),
      FOREIGN KEY (country, city) REFERENCES city, FOREIGN KEY (country) REFERENCES country);
    """,
    // Cycles.
    """
    CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b, d INTEGER REFERENCES d);
    CREATE TABLE b (id INTEGER PRIMARY KEY, c INTEGER REFERENCES c, a INTEGER REFERENCES a);
    CREATE TABLE c (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a, b INTEGER REFERENCES b);
    CREATE TABLE d (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b);
    """,
    // A key that is missing, and a parent without a key.
    """
    CREATE TABLE a (x TEXT);
    CREATE TABLE b (y TEXT REFERENCES a, z TEXT REFERENCES a (x));
    """,
    Schemas.shop,
  ])
  func `lines go around boxes`(schema: String) throws {
    try withScratch { scratch in
      let diagram = try drawn(schema, in: scratch)
      #expect(diagram.lines.count > 0)
      #expect(diagram.flaws == [])
    }
  }

  /// `QUARRY_RANDOM_SEED` sets the seed.
  @Test func `lines go around boxes in random schemas`() throws {
    let seed =
      ProcessInfo.processInfo.environment["QUARRY_RANDOM_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 0..<1_000_000_000)
    print("DiagramTests: QUARRY_RANDOM_SEED=\(seed)")
    var random = SplitMix64(seed: seed)
    try withScratch { scratch in
      for _ in 0..<50 {
        let schema = RandomSchema.sql(&random)
        let diagram = try drawn(schema, in: scratch)
        #expect(diagram.boxes.count == schema.split(separator: "CREATE TABLE").count)
        #expect(diagram.lines.count == schema.split(separator: "REFERENCES").count - 1)
        try #require(diagram.flaws == [], "QUARRY_RANDOM_SEED=\(seed)\n\(schema)")
      }
    }
  }
}

/// Tables with keys of one or several columns, that refer to any others, or to themselves.
private enum RandomSchema {
  static func sql(_ random: inout SplitMix64) -> String {
    let count = Int.random(in: 1...25, using: &random)
    let columns = (0..<count).map { _ in Int.random(in: 1...12, using: &random) }
    let links = [0, 1, 1, 2, 4].randomElement(using: &random) ?? 1
    return (0..<count).map { table in
      var lines = (0..<columns[table]).map {
        "c\($0) \(["TEXT", "INTEGER", ""].randomElement(using: &random) ?? "")"
      }
      lines.append("PRIMARY KEY (\(names(columns[table], 0...2, &random)))")
      for _ in 0..<Int.random(in: 0...links, using: &random) {
        let parent = Int.random(in: 0..<count, using: &random)
        let from = names(columns[table], 0...2, &random)
        let size = from.split(separator: ",").count
        let to = names(columns[parent], (size - 1)...(size - 1), &random)
        guard to.split(separator: ",").count == size else { continue }
        lines.append("FOREIGN KEY (\(from)) REFERENCES t\(parent) (\(to))")
      }
      return "CREATE TABLE t\(table) (\(lines.joined(separator: ", ")));"
    }.joined(separator: "\n")
  }

  /// Names of different columns.
  private static func names(
    _ count: Int, _ more: ClosedRange<Int>, _ random: inout SplitMix64
  ) -> String {
    let names = (0..<count).map { "c\($0)" }.shuffled(using: &random)
    return names.prefix(1 + Int.random(in: more, using: &random)).joined(separator: ", ")
  }
}

/// A small generator of random numbers with a seed.
private struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var result = state
    result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
    result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
    return result ^ (result >> 31)
  }
}

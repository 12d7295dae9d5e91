import QuarryTestSupport

/// A schema that is made by chance, with rows that fit it.
struct RandomSchema {
  struct Column {
    var name: String
    /// `INTEGER NOT NULL DEFAULT 3`
    var definition: String
    var isGenerated = false
  }

  struct Table {
    var name: String
    var id: String
    var options: String
    var columns: [Column]
    var constraint: String?

    var sql: String {
      let items =
        ["id \(id)"] + columns.map { "\($0.name) \($0.definition)" }
        + (constraint.map { [$0] } ?? [])
      return "CREATE TABLE \(name) (\(items.joined(separator: ", "))) \(options)"
    }
  }

  var tables: [Table] = []
  var others: [String] = []

  var sql: String {
    (tables.map(\.sql) + others).map { "\($0);\n" }.joined()
  }

  init(_ random: inout SplitMix64) {
    let names = ["t0", "t1", "t2", "\"t 3\"", "t4"].filter { _ in !random.chance(3) }
    tables = names.map { Self.table($0, names, &random) }
    for table in tables { addObjects(of: table, &random) }
    others.shuffle(using: &random)
    others.sort { !$0.contains("TRIGGER") && $1.contains("TRIGGER") }
  }

  private static func table(
    _ name: String, _ names: [String], _ random: inout SplitMix64
  ) -> Table {
    let ids = [
      ("INTEGER PRIMARY KEY", ""), ("INTEGER PRIMARY KEY AUTOINCREMENT", ""),
      ("INTEGER UNIQUE", ""), ("INTEGER NOT NULL PRIMARY KEY", "WITHOUT ROWID"),
      ("INTEGER PRIMARY KEY", "STRICT"),
    ]
    let (id, options) = random.pick(ids)
    let columns = ["a", "b", "\"c d\"", "e", "f"].filter { _ in !random.chance(3) }.shuffled(
      using: &random)
    let defined = columns.map { column(named: $0, options, names, &random) }
    let plain = defined.filter { !$0.isGenerated }.map(\.name)
    var constraint: String?
    if let first = plain.first, random.chance(4) {
      constraint = random.pick([
        "UNIQUE (id, \(first))", "CONSTRAINT positive CHECK (\(first) IS NOT -1)",
        "CHECK (id > 0)",
      ])
    }
    return Table(name: name, id: id, options: options, columns: defined, constraint: constraint)
  }

  private static func column(
    named name: String, _ options: String, _ tables: [String], _ random: inout SplitMix64
  ) -> Column {
    let type = random.pick(
      ["INTEGER", "TEXT", "REAL"] + (options == "STRICT" ? [] : ["", "VARCHAR(10)", "NUMERIC"]))
    switch random.below(9) {
    case 0: return Column(name: name, definition: "\(type) NOT NULL")
    case 1: return Column(name: name, definition: "\(type) NOT NULL DEFAULT \(random.below(9))")
    case 2: return Column(name: name, definition: "\(type) DEFAULT (1 + 1)")
    case 3:
      return Column(name: name, definition: "\(type) CHECK (\(name) IS NULL OR \(name) IS NOT -1)")
    case 4: return Column(name: name, definition: "\(type) COLLATE NOCASE")
    case 5:
      let kind = random.pick(["", " VIRTUAL", " STORED"])
      return Column(name: name, definition: "\(type) AS (id + 1)\(kind)", isGenerated: true)
    case 6:
      // The values of this column are NULL.
      return Column(
        name: name, definition: "\(type) REFERENCES \(random.pick(tables))(id) ON DELETE SET NULL")
    default: return Column(name: name, definition: type)
    }
  }

  private mutating func addObjects(of table: Table, _ random: inout SplitMix64) {
    let suffix = table.name.filter { $0.isNumber }
    if let column = table.columns.first, random.chance(2) {
      others.append(
        "CREATE INDEX index_\(suffix) ON \(table.name) (\(column.name)\(random.pick(["", " DESC"])))"
      )
    }
    if let column = table.columns.last, random.chance(3) {
      others.append("CREATE VIEW view_\(suffix) AS SELECT id, \(column.name) FROM \(table.name)")
    }
    if random.chance(3) {
      others.append(
        "CREATE TRIGGER trigger_\(suffix) AFTER INSERT ON \(table.name) BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END"
      )
    }
  }

  /// Insertions of rows into all tables.
  func insertions(_ random: inout SplitMix64) -> String {
    tables.flatMap { table in
      (0..<random.below(5)).map { number in
        let columns = table.columns.filter {
          !$0.isGenerated && !$0.definition.contains("REFERENCES")
        }
        let names = ["id"] + columns.map(\.name)
        let values =
          ["\(number * 3 + 1)"]
          + columns.map { column in
            column.definition.contains("NOT NULL") || !random.chance(4)
              ? "\(random.below(100))" : "NULL"
          }
        return
          "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")));\n"
      }
    }.joined()
  }
}

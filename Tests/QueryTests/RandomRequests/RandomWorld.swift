import Quarry
import QuarryTestSupport

// Random requests are compared with nested loops over arrays.
//
// | file | what |
// | --- | --- |
// | RandomWorld | random tables and rows: all kinds of keys, nulls, duplicates, dangling keys |
// | RandomRequest | a request as a tree of nodes: what the other files are about |
// | RandomRequestGenerator | makes a random tree |
// | RandomRequestBuilder | makes a request of the library out of it |
// | RandomRequestEvaluation | the rows of the tree, by definition: nested loops, and no SQL |
// | RandomRequestComparison | compares them with the rows that the library fetches |

/// A value of a column.
enum RandomValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let integer): self = .integer(integer)
    case .double(let double): self = .real(double)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .text("blob of \(data.count) bytes")
    }
  }

  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let integer): integer.databaseValue
    case .real(let double): double.databaseValue
    case .text(let text): text.databaseValue
    }
  }

  var isNull: Bool { self == .null }

  /// The order of SQLite: nulls, numbers, texts.
  func precedes(_ other: RandomValue) -> Bool {
    switch (self, other) {
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs
    case (.real(let lhs), .real(let rhs)): lhs < rhs
    case (.integer(let lhs), .real(let rhs)): Double(lhs) < rhs
    case (.real(let lhs), .integer(let rhs)): lhs < Double(rhs)
    case (.text(let lhs), .text(let rhs)): lhs < rhs
    default: rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    }
  }
}

/// A table and its rows. The identity of a row is its index.
struct RandomTable {
  enum Key: CaseIterable {
    case rowID, text, compound, textWithoutRowID, compoundWithoutRowID, hidden

    var isWithoutRowID: Bool { self == .textWithoutRowID || self == .compoundWithoutRowID }
  }

  struct Column {
    var name: String
    var isText: Bool
  }

  var name: String
  var key: Key
  var columns: [Column]
  /// The indexes of the columns of the primary key.
  var primaryKey: [Int]
  var rows: [[RandomValue]] = []

  /// An integer and a text without meaning.
  var dataColumns: [Int] { [primaryKey.count, primaryKey.count + 1] }
}

/// Columns of a table that refer to columns of a table: a foreign key, in the schema or not.
struct RandomLink {
  var origin: Int
  var originColumns: [Int]
  var destination: Int
  var destinationColumns: [Int]
  var isDeclared: Bool
  /// Whether the columns of the origin have an index.
  var isIndexed: Bool
}

/// Random tables with random rows.
struct RandomWorld {
  var tables: [RandomTable] = []
  var links: [RandomLink] = []
  /// By link and row of the origin: the rows of the destination.
  private(set) var destinations: [[[Int]]] = []
  /// By link and row of the destination: the rows of the origin.
  private(set) var origins: [[[Int]]] = []

  init(using random: inout SplitMix64) {
    let names = ["author", "book", "shelf2", "shelf1", "Line Item", "order", "sheep", "people"]
      .shuffled(using: &random)
    for name in names.prefix(Int.random(in: 2...4, using: &random)) {
      tables.append(RandomTable(name: name, using: &random))
    }
    for origin in tables.indices {
      for _ in 0..<Int.random(in: 1...2, using: &random) { addLink(from: origin, using: &random) }
    }
    for link in links { fill(link, using: &random) }
    for link in links {
      destinations.append(matches(link, isForward: true))
      origins.append(matches(link, isForward: false))
    }
  }

  private mutating func addLink(from origin: Int, using random: inout SplitMix64) {
    let destination = tables.indices.randomElement(using: &random) ?? 0
    let target = tables[destination]
    let isDeclared = !target.primaryKey.isEmpty && Int.random(in: 0..<4, using: &random) > 0
    let data = target.dataColumns
    let other = [[data[0]], [data[1]], data].randomElement(using: &random) ?? data
    let destinationColumns = isDeclared ? target.primaryKey : other
    let first = tables[origin].columns.count
    for (index, column) in destinationColumns.enumerated() {
      tables[origin].columns.append(
        .init(name: "f\(first + index)", isText: target.columns[column].isText))
    }
    links.append(
      RandomLink(
        origin: origin, originColumns: Array(first..<first + destinationColumns.count),
        destination: destination, destinationColumns: destinationColumns, isDeclared: isDeclared,
        isIndexed: Int.random(in: 0..<4, using: &random) > 0))
  }

  /// Foreign keys of rows: of other rows, null, dangling.
  private mutating func fill(_ link: RandomLink, using random: inout SplitMix64) {
    let target = tables[link.destination]
    for row in tables[link.origin].rows.indices {
      let model =
        Int.random(in: 0..<10, using: &random) < 7
        ? target.rows.randomElement(using: &random) : nil
      for column in link.destinationColumns {
        let isNull = Int.random(in: 0..<8, using: &random) == 0
        let value =
          model?[column]
          ?? .random(isText: target.columns[column].isText, using: &random)
        tables[link.origin].rows[row].append(isNull ? .null : value)
      }
    }
  }

  private func matches(_ link: RandomLink, isForward: Bool) -> [[Int]] {
    let origin = tables[link.origin].rows.map { row in link.originColumns.map { row[$0] } }
    let destination = tables[link.destination].rows
      .map { row in link.destinationColumns.map { row[$0] } }
    let (from, to) = isForward ? (origin, destination) : (destination, origin)
    return from.map { key in
      key.contains(.null) ? [] : to.indices.filter { to[$0] == key }
    }
  }
}

extension RandomValue {
  /// A value of a small range: duplicates are likely.
  static func random(isText: Bool, using random: inout SplitMix64) -> RandomValue {
    if Int.random(in: 0..<8, using: &random) == 0 { return .null }
    if isText {
      return .text(["a", "b", "c", "D", "é"].randomElement(using: &random) ?? "a")
    }
    return .integer(.random(in: 0...4, using: &random))
  }
}

extension RandomTable {
  init(name: String, using random: inout SplitMix64) {
    let key = Key.allCases.randomElement(using: &random) ?? .rowID
    let keyColumns: [Column] =
      switch key {
      case .rowID: [Column(name: "id", isText: false)]
      case .text, .textWithoutRowID: [Column(name: "code", isText: true)]
      case .compound, .compoundWithoutRowID:
        [Column(name: "x", isText: false), Column(name: "y", isText: true)]
      case .hidden: []
      }
    self.name = name
    self.key = key
    primaryKey = Array(keyColumns.indices)
    columns =
      keyColumns + [Column(name: "v", isText: false), Column(name: "s", isText: true)]
    let isLarge = Int.random(in: 0..<60, using: &random) == 0
    let count = isLarge ? 120 : Int.random(in: 0...7, using: &random)
    let keys = Self.keys(key, count: isLarge ? 150 : 12).shuffled(using: &random)
    for index in 0..<min(count, keys.count) {
      var row = keys[index]
      if key == .text || key == .compound, Int.random(in: 0..<8, using: &random) == 0 {
        row[row.count - 1] = .null
      }
      rows.append(
        row + [
          .random(isText: false, using: &random), .random(isText: true, using: &random),
        ])
    }
  }

  private static func keys(_ key: Key, count: Int) -> [[RandomValue]] {
    (0..<count).map { number in
      switch key {
      case .rowID: [.integer(Int64(number))]
      case .text, .textWithoutRowID: [.text("k\(number)")]
      case .compound, .compoundWithoutRowID:
        [.integer(Int64(number / 3)), .text(["a", "b", "c"][number % 3])]
      case .hidden: []
      }
    }
  }
}

// SQL
extension RandomWorld {
  func makeDatabase() throws -> DatabaseQueue {
    var configuration = Configuration()
    // There are dangling keys.
    configuration.foreignKeysEnabled = false
    let database = try DatabaseQueue(configuration: configuration)
    try database.write { db in
      for index in tables.indices { try db.execute(sql: creation(of: index)) }
      for link in links where link.isIndexed { try db.execute(sql: indexCreation(of: link)) }
      for table in tables {
        let marks = databaseQuestionMarks(count: table.columns.count)
        for row in table.rows {
          try db.execute(
            sql: "INSERT INTO \(table.name.quotedDatabaseIdentifier) VALUES (\(marks))",
            arguments: StatementArguments(row.map(\.databaseValue)))
        }
      }
    }
    return database
  }

  private func indexCreation(of link: RandomLink) -> String {
    let table = tables[link.origin]
    let columns = link.originColumns.map { table.columns[$0].name }
    return """
      CREATE INDEX "\(table.name) \(columns[0])" \
      ON \(table.name.quotedDatabaseIdentifier)(\(columns.joined(separator: ", ")))
      """
  }

  func creation(of index: Int) -> String {
    let table = tables[index]
    func names(_ columns: [Int], _ table: RandomTable) -> String {
      columns.map { table.columns[$0].name.quotedDatabaseIdentifier }.joined(separator: ", ")
    }
    var parts = table.columns.enumerated().map { number, column in
      let isRequired = table.key.isWithoutRowID && table.primaryKey.contains(number)
      return column.name.quotedDatabaseIdentifier + (column.isText ? " TEXT" : " INTEGER")
        + (isRequired ? " NOT NULL" : "")
    }
    if !table.primaryKey.isEmpty {
      parts.append("PRIMARY KEY (\(names(table.primaryKey, table)))")
    }
    for link in links where link.isDeclared && link.origin == index {
      let destination = tables[link.destination]
      parts.append(
        """
        FOREIGN KEY (\(names(link.originColumns, table))) \
        REFERENCES \(destination.name.quotedDatabaseIdentifier)\
        (\(names(link.destinationColumns, destination)))
        """)
    }
    return """
      CREATE TABLE \(table.name.quotedDatabaseIdentifier) (\(parts.joined(separator: ", ")))\
      \(table.key.isWithoutRowID ? " WITHOUT ROWID" : "")
      """
  }
}

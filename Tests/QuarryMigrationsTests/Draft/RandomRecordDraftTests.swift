import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// A record whose properties are made by chance.
private struct ChanceRecord: Decodable, FetchableRecord, MutablePersistableRecord {
  struct Property {
    var name: String
    var kind: Kind
    var isOptional: Bool
  }

  enum Kind: CaseIterable {
    case integer, text, double, flag, date, data, list

    /// A value, and its type in SQLite.
    var sample: (value: DatabaseValue, type: String) {
      switch self {
      case .integer: (Int64.max.databaseValue, "integer")
      case .text: ("007".databaseValue, "text")
      case .double: (1.5.databaseValue, "real")
      case .flag: (true.databaseValue, "integer")
      case .date: (Date(timeIntervalSince1970: 0).databaseValue, "text")
      case .data: (Data("12".utf8).databaseValue, "blob")
      case .list: ("[1]".databaseValue, "text")
      }
    }
  }

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  static let databaseTableName = "t"
  @TaskLocal static var properties: [Property] = []

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func decode<T: Decodable>(_ type: T.Type, _ property: Property) throws {
      let key = Key(stringValue: property.name)
      if property.isOptional {
        _ = try container.decodeIfPresent(type, forKey: key)
      } else {
        _ = try container.decode(type, forKey: key)
      }
    }
    for property in Self.properties {
      switch property.kind {
      case .integer: try decode(Int64.self, property)
      case .text: try decode(String.self, property)
      case .double: try decode(Double.self, property)
      case .flag: try decode(Bool.self, property)
      case .date: try decode(Date.self, property)
      case .data: try decode(Data.self, property)
      case .list: try decode([Int].self, property)
      }
    }
  }

  func encode(to container: inout PersistenceContainer) {}
}

@Suite("Random drafts for record types")
struct RandomRecordDraftTests {
  @Test func `the table fits the record, and keeps its data`() throws {
    let run = RandomRun("RandomRecordDraftTests")
    var (count, altered, rebuilt, created) = (0, 0, 0, 0)
    try run.repeated(seconds: 2) { random in
      let table = random.chance(5) ? nil : Self.table(&random)
      let properties = Self.properties(&random)
      let context = "seed \(run.seed)\n\(table ?? "no table")\n\(properties)"
      try ChanceRecord.$properties.withValue(properties) {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: table ?? "") }
        let before = try queue.read { try Self.contents($0) }
        let draft = try Self.makeDraft(queue, properties)
        count += 1
        if table == nil { created += 1 }
        if draft.sql.contains("ADD COLUMN") { altered += 1 }
        if draft.sql.contains("quarry_new_") { rebuilt += 1 }
        do {
          #expect(try draft.rehearse(queue).isSuccessful, "\(context)")
        } catch let error as DatabaseError where error.message?.hasPrefix("cannot store") == true {
          return  // A strict table refuses old values for the new type.
        }
        try queue.write { try $0.execute(sql: draft.sql) }
        #expect(try MigrationDraft(from: queue, to: [ChanceRecord.self]).isEmpty, "\(context)")
        try queue.write { db in
          try Self.checkFit(db, draft, context + "\n" + draft.sql)
          let after = try Self.contents(db)
          for (name, values) in before {
            let kept = after[name] ?? []
            #expect(kept.count == values.count, "\(name) \(context)")
            for (old, new) in zip(values, kept) {
              #expect(new == old || old == nil && new == 77, "\(name) \(context)\n\(draft.sql)")
            }
          }
          try Self.checkStorage(db, properties, draft, context + "\n" + draft.sql)
        }
      }
    }
    // A busy machine makes a few drafts only.
    if count >= 100 { #expect(created > 0 && altered > 0 && rebuilt > 0) }
  }

  private static func table(_ random: inout SplitMix64) -> String {
    let isStrict = random.chance(4)
    var columns = [random.pick(["id INTEGER PRIMARY KEY", "ID INTEGER PRIMARY KEY AUTOINCREMENT"])]
    var numbers: [String] = ["id"]
    for name in ["a", "b", "\"c d\"", "f"] where !random.chance(3) {
      let type = random.pick(
        ["INTEGER", "TEXT", "REAL", "BLOB", "ANY"]
          + (isStrict ? [] : ["", "VARCHAR(10)", "NUMERIC", "DATETIME", "BOOLEAN"]))
      let isTyped = isStrict && type == "BLOB"
      let clause = random.pick([
        "", "", " NOT NULL", " NOT NULL DEFAULT 3", " CHECK (\(name) IS NOT -1)",
        " CONSTRAINT n\(numbers.count) NOT NULL", " NULL",
      ])
      columns.append("\(name) \(isTyped ? "ANY" : type)\(clause)")
      numbers.append(name)
    }
    var sql = "CREATE TABLE t (\(columns.joined(separator: ", ")))\(isStrict ? " STRICT" : "");\n"
    for row in 1...3 where !random.chance(3) {
      let values = columns.dropFirst().map { column in
        !column.contains("NOT NULL") && random.chance(3) ? "NULL" : "\(random.below(100))"
      }
      sql += "INSERT INTO t VALUES (\((["\(row)"] + values).joined(separator: ", ")));\n"
    }
    return sql
  }

  private static func properties(_ random: inout SplitMix64) -> [ChanceRecord.Property] {
    let others = ["a", "B", "c d", "g"].filter { _ in !random.chance(3) }
    return [.init(name: "id", kind: .integer, isOptional: random.chance(2))]
      + others.map {
        .init(name: $0, kind: random.pick(ChanceRecord.Kind.allCases), isOptional: random.chance(2))
      }
  }

  /// Gives the values that are missing.
  private static func makeDraft(
    _ queue: DatabaseQueue, _ properties: [ChanceRecord.Property]
  ) throws -> MigrationDraft {
    do {
      return try MigrationDraft(from: queue, to: [ChanceRecord.self], allowing: .dataLoss)
    } catch MigrationDraftError.missingValues(let missing) {
      let known = try queue.read { try $0.columns(in: "t").map { $0.name.lowercased() } }
      var values: [String: String] = [:]
      for value in missing {
        let column = value.column.quotedDatabaseIdentifier
        let isKnown = known.contains(value.column.lowercased())
        values["t.\(value.column)"] = isKnown ? "coalesce(\(column), 77)" : "77"
      }
      return try MigrationDraft(
        from: queue, to: [ChanceRecord.self], values: values, allowing: .dataLoss)
    }
  }

  /// Only columns that the record does not have may need a value.
  private static func checkFit(_ db: Database, _ draft: MigrationDraft, _ context: String) throws {
    for difference in try db.schemaDifferences(of: [ChanceRecord.self]) {
      let isUnknown = difference.columns.allSatisfy { draft.unknownColumns.contains("t.\($0)") }
      #expect(difference.kind == .unwrittenColumn && isUnknown, "\(difference)\n\(context)")
    }
  }

  /// The numbers of each column, in the order of the rows.
  private static func contents(_ db: Database) throws -> [String: [Int?]] {
    guard try db.tableExists("t") else { return [:] }
    return try Dictionary(
      uniqueKeysWithValues: db.columns(in: "t").map { column in
        let name = column.name.quotedDatabaseIdentifier
        return (
          column.name,
          try Optional<Int>.fetchAll(db, sql: "SELECT CAST(\(name) AS INTEGER) FROM t ORDER BY id")
        )
      })
  }

  /// Values of the properties are stored as they are.
  private static func checkStorage(
    _ db: Database, _ properties: [ChanceRecord.Property], _ draft: MigrationDraft,
    _ context: String
  ) throws {
    let others = draft.unknownColumns.map { String($0.dropFirst(2)) }
    let stored = properties.dropFirst()
    let names = (["id"] + stored.map(\.name) + others).map(\.quotedDatabaseIdentifier)
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let values = stored.map(\.kind.sample.value) + others.map { _ in 1.databaseValue }
    try db.execute(
      sql: "INSERT INTO t (\(names.joined(separator: ", "))) VALUES (\(marks))",
      arguments: StatementArguments([1000.databaseValue] + values))
    for property in stored {
      let name = property.name.quotedDatabaseIdentifier
      let row = try Row.fetchOne(db, sql: "SELECT \(name), typeof(\(name)) FROM t WHERE id = 1000")
      let (value, type): (DatabaseValue?, String?) = (row?[0], row?[1])
      #expect(
        value == property.kind.sample.value && type == property.kind.sample.type,
        "\(property) is \(String(describing: row))\n\(context)")
      if property.isOptional {
        try db.execute(sql: "UPDATE t SET \(name) = NULL WHERE id = 1000")
      } else {
        #expect(throws: DatabaseError.self, "\(property)\n\(context)") {
          try db.execute(sql: "UPDATE t SET \(name) = NULL WHERE id = 1000")
        }
      }
    }
  }
}

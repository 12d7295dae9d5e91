import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// One property of a type, with the texts of values that it refuses.
private struct WrongValues: Sendable, CustomTestStringConvertible {
  let type: String
  let fetch: @Sendable (Database, String) throws -> Void
  let decode: @Sendable (Row) throws -> Void
  /// The same for an optional property: whether it is nil.
  let fetchOptional: @Sendable (Database, String) throws -> Bool?
  let decodeOptional: @Sendable (Row) throws -> Bool
  let values: [String]

  init<Value: Codable & Sendable>(_ type: Value.Type, _ values: [String]) {
    self.type = String(describing: type)
    fetch = { db, sql in _ = try Holder<Value>.fetchAll(db, sql: sql) }
    decode = { row in _ = try Holder<Value>(row: row) }
    fetchOptional = { db, sql in try OptionalHolder<Value>.fetchOne(db, sql: sql)?.isNil }
    decodeOptional = { row in try OptionalHolder<Value>(row: row).isNil }
    self.values = values
  }

  var testDescription: String { type }
}

private struct Holder<Value: Codable>: Codable, FetchableRecord {
  var before = 0
  var value: Value
  private enum CodingKeys: CodingKey { case value }
}

private struct OptionalHolder<Value: Codable>: Codable, FetchableRecord {
  var before = 0
  var value: Value?
  var isNil: Bool { value == nil }
  private enum CodingKeys: CodingKey { case value }
}

private enum Color: String, Codable { case red }
private enum Genre: String, Codable, DatabaseValueConvertible { case novel }
private enum Level: Int, Codable, DatabaseValueConvertible, StatementColumnConvertible {
  case one = 1
}
private struct Address: Codable { var city: String }

private let text = "'zork'"
private let blob = "x'FFFE'"

@Suite(.onQueueAndPool)
struct WrongValueTests {
  private static let cases: [WrongValues] = [
    WrongValues(Bool.self, [text, blob]),
    WrongValues(Int.self, [text, blob, "1e30", "1.5", "'1.5'"]),
    WrongValues(Int8.self, [text, blob, "1000", "-129", "'128'"]),
    WrongValues(Int16.self, [text, blob, "40000"]),
    WrongValues(Int32.self, [text, blob, "3000000000"]),
    WrongValues(Int64.self, [text, blob, "1e30"]),
    WrongValues(UInt.self, [text, blob, "-1"]),
    WrongValues(UInt8.self, [text, blob, "256", "-1"]),
    WrongValues(UInt16.self, [text, blob, "65536"]),
    WrongValues(UInt32.self, [text, blob, "-1"]),
    WrongValues(UInt64.self, [text, blob, "-1"]),
    WrongValues(Float.self, [text, blob, "1e300"]),
    WrongValues(Double.self, [text, blob, "9007199254740993"]),
    WrongValues(String.self, [blob]),
    WrongValues(Data.self, ["1", "1.5"]),
    WrongValues(Date.self, [text, blob]),
    WrongValues(UUID.self, [text, blob, "1"]),
    WrongValues(Decimal.self, [text, blob, "'1x'"]),
    WrongValues(URL.self, ["1", "1.5"]),
    WrongValues(Genre.self, [text, "1", blob]),
    WrongValues(Level.self, [text, "2", "1.5"]),
    WrongValues(Color.self, [text, "1", blob]),
    WrongValues(Address.self, [text, "'{}'", "'[]'", "1", "1.5", blob]),
    WrongValues([Int].self, [text, "'{}'", "'[\"a\"]'", "1"]),
  ]

  @Test(arguments: cases)
  private func `NULL throws`(_ wrong: WrongValues) throws {
    try expectError(wrong, "NULL", wrong.fetch)
    try expectErrorInMemory(wrong, "NULL")
  }

  @Test(arguments: cases)
  private func `A missing column throws`(_ wrong: WrongValues) throws {
    try inEmptyDatabase { db throws in
      for body in [
        { try wrong.fetch(db, "SELECT 1 AS other") },
        { try wrong.decode(Row(["other": 1])) },
      ] {
        #expect(errorText(body) != nil)
      }
    }
  }

  @Test(arguments: cases)
  private func `Wrong values throw, with the record, the column, the value, and the SQL`(
    _ wrong: WrongValues
  ) throws {
    for value in wrong.values {
      try expectError(wrong, value, wrong.fetch)
      try expectErrorInMemory(wrong, value)
    }
  }

  @Test(arguments: cases)
  private func `Optional properties are nil for NULL, and refuse the same wrong values`(
    _ wrong: WrongValues
  ) throws {
    try inEmptyDatabase { db throws in
      #expect(try wrong.fetchOptional(db, "SELECT 1 AS before, NULL AS value") == true)
      #expect(try wrong.fetchOptional(db, "SELECT 1 AS before") == true)
      #expect(try wrong.decodeOptional(Row(["value": nil])))
    }
    for value in wrong.values {
      try expectError(wrong, value, record: "OptionalHolder<\(wrong.type)>") {
        _ = try wrong.fetchOptional($0, $1)
      }
    }
    for value in wrong.values {
      let row = try inMemory(value)
      #expect(
        errorText { try wrong.decodeOptional(row) }?.contains(#"column: "value""#) == true,
        "\(wrong.type) accepts \(value) in memory")
    }
  }

  private func inMemory(_ value: String) throws -> Row {
    try DatabaseQueue().read { try Row.only($0, "SELECT 1 AS before, \(value) AS value") }
  }

  private func expectError(
    _ wrong: WrongValues, _ value: String, record: String? = nil,
    _ fetch: (Database, String) throws -> Void
  ) throws {
    try inEmptyDatabase { db in
      let sql = "SELECT 1 AS before, \(value) AS value"
      let error = errorText { try fetch(db, sql) }
      let text = try #require(error, "\(wrong.type) accepts \(value)")
      let stored = try DatabaseValue.fetchOne(db, sql: "SELECT \(value)") ?? .null
      #expect(text.contains(#"column: "value", column index: 1"#))
      #expect(text.contains("\(stored)"))
      #expect(text.contains(record ?? "Holder<\(wrong.type)>"))
      #expect(text.contains("sql: `\(sql)`"))
    }
  }

  private func expectErrorInMemory(_ wrong: WrongValues, _ value: String) throws {
    try inEmptyDatabase { db in
      let row = try Row.only(db, "SELECT 1 AS before, \(value) AS value")
      let text = try #require(
        errorText { try wrong.decode(row) }, "\(wrong.type) accepts \(value) in memory")
      #expect(text.contains(#"column: "value", column index: 1"#))
      #expect(text.contains("Holder<\(wrong.type)>"))
      #expect(text.contains("sql: `SELECT 1 AS before, \(value) AS value`"))
    }
  }
}

import Foundation
import Quarry

func databaseValue(_ value: DatabaseValue, _ statement: Statement) throws {
  let _: DatabaseValue.Storage = value.storage
  let _: DatabaseValue = .null
  let _: DatabaseValue? = DatabaseValue(value: 1)
  let any: Any = "a"
  let _: DatabaseValue? = DatabaseValue(value: any)
  let _: Bool = value.isNull
  let _: DatabaseValue = DatabaseValue(sqliteStatement: statement.sqliteStatement, index: 0)
  let _: CInt = value.bind(to: statement.sqliteStatement, at: 1)
  let _: Bool = value == .null
  let _: Set<DatabaseValue> = [value]
  let _: DatabaseValue = value.databaseValue
  let _: DatabaseValue? = DatabaseValue.fromDatabaseValue(value)
  let _: SQLExpression = value.sqlExpression
  let _: any SQLSpecificExpressible = value
  let _: SQLExpression = value > 1
  let _: String = value.description
}

func databaseValueStorage(_ storage: DatabaseValue.Storage) {
  switch storage {
  case .null: break
  case .int64(let value): let _: Int64 = value
  case .double(let value): let _: Double = value
  case .string(let value): let _: String = value
  case .blob(let value): let _: Data = value
  }
  let _: (any DatabaseValueConvertible)? = storage.value
  let _: Bool = storage == .null
}

/// A conversion written by hand.
struct Code: DatabaseValueConvertible {
  var text: String

  var databaseValue: DatabaseValue { text.databaseValue }

  static func fromDatabaseValue(_ databaseValue: DatabaseValue) -> Code? {
    String.fromDatabaseValue(databaseValue).map(Code.init)
  }
}

/// One that says what a missing column is, and how JSON is read and written.
struct Tags: Codable, DatabaseValueConvertible {
  var names: [String]

  static func fromMissingColumn() -> Tags? { Tags(names: []) }

  static func databaseJSONDecoder() -> JSONDecoder { JSONDecoder() }

  static func databaseJSONEncoder() -> JSONEncoder { JSONEncoder() }
}

/// An enumeration that is not `Codable`.
enum Shade: Int, DatabaseValueConvertible {
  case light, dark
}

func databaseValueConvertible<Value: DatabaseValueConvertible>(
  _ value: Value, _ statement: Statement
) {
  let stored: DatabaseValue = value.databaseValue
  let _: Value? = Value.fromDatabaseValue(stored)
  let _: Value? = Value.fromMissingColumn()
  let _: JSONDecoder = Value.databaseJSONDecoder()
  let _: JSONEncoder = Value.databaseJSONEncoder()
  let _: SQLExpression = value.sqlExpression
  let _: CInt = value.bind(to: statement.sqliteStatement, at: 1)
}

/// The default conversions of `Codable`, `RawRepresentable`, and `ReferenceConvertible` types.
func defaultConversions() {
  let _: [DatabaseValue] = [
    Address(street: "a", city: "b").databaseValue, Color.red.databaseValue,
    Level.low.databaseValue, Shade.dark.databaseValue, URL(filePath: "/").databaseValue,
    Tags(names: []).databaseValue,
  ]
  let _: Address? = .fromDatabaseValue(.null)
  let _: Color? = .fromDatabaseValue(.null)
  let _: Level? = .fromDatabaseValue(.null)
  let _: Shade? = .fromDatabaseValue(.null)
  let _: URL? = .fromDatabaseValue(.null)
}

func statementColumnConvertible(_ statement: Statement) {
  let _: Int? = Int.fromStatement(statement.sqliteStatement, atUncheckedIndex: 0)
  let _: Int? = Int(sqliteStatement: statement.sqliteStatement, index: 0)
  let _: Level? = Level.fromStatement(statement.sqliteStatement, atUncheckedIndex: 0)
  let _: Level? = Level(sqliteStatement: statement.sqliteStatement, index: 0)
  let _: Int?? = Int?.fromStatement(statement.sqliteStatement, atUncheckedIndex: 0)
}

/// A fast conversion written by hand.
struct Meters: DatabaseValueConvertible, StatementColumnConvertible {
  var value: Double

  init(value: Double) { self.value = value }

  init?(sqliteStatement: SQLiteStatement, index: CInt) {
    self.value = Double(sqliteStatement: sqliteStatement, index: index)
  }

  var databaseValue: DatabaseValue { value.databaseValue }

  static func fromDatabaseValue(_ databaseValue: DatabaseValue) -> Meters? {
    Double.fromDatabaseValue(databaseValue).map(Meters.init)
  }
}

func databaseDateComponents(_ statement: Statement) throws {
  let components = DatabaseDateComponents(DateComponents(year: 2024), format: .YMD)
  let _: DateComponents = components.dateComponents
  let _: DatabaseDateComponents.Format = components.format
  let _: DatabaseDateComponents? = DatabaseDateComponents(
    sqliteStatement: statement.sqliteStatement, index: 0)
  let _: DatabaseValue = components.databaseValue
  let _: DatabaseDateComponents? = .fromDatabaseValue(components.databaseValue)
  let data = try JSONEncoder().encode([components])
  let _: [DatabaseDateComponents] = try JSONDecoder().decode(
    [DatabaseDateComponents].self, from: data)
  switch components.format {
  case .YMD, .YMD_HM, .YMD_HMS, .YMD_HMSS, .HM, .HMS, .HMSS: break
  }
  let _: DatabaseDateComponents.Format? = .init(rawValue: "yyyy-MM-dd")
  let _: Set<DatabaseDateComponents.Format> = [.HM]
}

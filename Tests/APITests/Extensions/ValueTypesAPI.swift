import Foundation
import Quarry

/// What values that read straight from statements have.
func fastValue<Value: DatabaseValueConvertible & StatementColumnConvertible>(
  _ value: Value, _ statement: Statement
) {
  let _: Value? = Value(sqliteStatement: statement.sqliteStatement, index: 0)
  let _: DatabaseValue = value.databaseValue
  let _: Value? = Value.fromDatabaseValue(.null)
  let _: CInt = value.bind(to: statement.sqliteStatement, at: 1)
}

func fastValues(_ statement: Statement) {
  fastValue(true, statement)
  fastValue(1 as Int, statement)
  fastValue(1 as Int8, statement)
  fastValue(1 as Int16, statement)
  fastValue(1 as Int32, statement)
  fastValue(1 as Int64, statement)
  fastValue(1 as UInt, statement)
  fastValue(1 as UInt8, statement)
  fastValue(1 as UInt16, statement)
  fastValue(1 as UInt32, statement)
  fastValue(1 as UInt64, statement)
  fastValue(1.5 as Double, statement)
  fastValue(1.5 as Float, statement)
  fastValue("a", statement)
  fastValue(Data(), statement)
  fastValue(Date(), statement)
  fastValue(Decimal(1), statement)
  fastValue(UUID(), statement)
  fastValue(1 as Int?, statement)
  fastValue(Level.low, statement)
}

/// Initializers that do not fail.
func unfailingInitializers(_ pointer: SQLiteStatement) {
  let _: Bool = Bool(sqliteStatement: pointer, index: 0)
  let _: Data = Data(sqliteStatement: pointer, index: 0)
  let _: Double = Double(sqliteStatement: pointer, index: 0)
  let _: Float = Float(sqliteStatement: pointer, index: 0)
  let _: Int64 = Int64(sqliteStatement: pointer, index: 0)
  let _: String = String(sqliteStatement: pointer, index: 0)
  let _: Int? = Int(sqliteStatement: pointer, index: 0)
  let _: Date? = Date(sqliteStatement: pointer, index: 0)
  let _: Date? = Date(julianDay: 2_440_587.5)
  let _: UUID? = UUID(sqliteStatement: pointer, index: 0)
  let _: Decimal? = Decimal(sqliteStatement: pointer, index: 0)
}

/// What all values have.
func value<Value: DatabaseValueConvertible>(_ value: Value) {
  let _: DatabaseValue = value.databaseValue
  let _: Value? = Value.fromDatabaseValue(value.databaseValue)
}

func values() {
  value(CGFloat(1))
  value(URL(filePath: "/"))
  value(NSData())
  value(NSDate())
  value(NSNull())
  value(1 as NSNumber)
  value("a" as NSString)
  value(NSURL(fileURLWithPath: "/"))
  value(NSUUID())
  let _: NSData? = NSData.fromDatabaseValue(.null)
  let _: NSNumber? = .fromDatabaseValue(.null)
}

func optionals(_ statement: Statement) {
  let value: Int? = 1
  let _: CInt = value.bind(to: statement.sqliteStatement, at: 1)
  let _: SQLExpression = value.sqlExpression
  let _: DatabaseValue = value.databaseValue
  let _: Int?? = Int?.fromMissingColumn()
  let _: Int?? = Int?.fromDatabaseValue(.null)
  let _: Int?? = Int?.fromStatement(statement.sqliteStatement, atUncheckedIndex: 0)
  let _: Int?? = Int?(sqliteStatement: statement.sqliteStatement, index: 0)
  let column: Column? = nil
  let _: SQLOrdering = column.sqlOrdering
  let _: SQLSelection = column.sqlSelection
  let binding: (any StatementBinding)? = 1
  _ = binding
}

func identifiers() {
  let _: String = "player".quotedDatabaseIdentifier
}

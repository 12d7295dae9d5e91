public import Foundation

extension NSNumber: DatabaseValueConvertible {
  /// An integer or a double, according to the Objective-C type of the number.
  ///
  /// An `NSDecimalNumber` is an integer when it has no fractional part and fits in an `Int64`, else
  /// a double. A statement that binds an integer above `Int64.max` throws.
  public var databaseValue: DatabaseValue {
    if let decimal = self as? NSDecimalNumber { return decimal.decimalDatabaseValue }
    return switch unsafe UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "f"), UInt8(ascii: "d"): doubleValue.databaseValue
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): uint64Value.databaseValue
    default: int64Value.databaseValue
    }
  }

  /// Returns the number of an integer or of a double, and an `NSDecimalNumber` for the text of a
  /// decimal number.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    switch dbValue.storage {
    case .int64(let int64): NSNumber(value: int64) as? Self ?? decimal(dbValue)
    case .double(let double):
      // Also the stored form of an NSDecimalNumber, which `Decimal` by itself does not have.
      NSNumber(value: double) as? Self ?? decimal(DatabaseValue(storage: dbValue.storage))
    case .string where !dbValue.isExact: decimal(dbValue)
    default: nil
    }
  }

  private static func decimal(_ dbValue: DatabaseValue) -> Self? {
    Decimal.converted(from: dbValue).flatMap { NSDecimalNumber(decimal: $0) as? Self }
  }
}

extension NSDecimalNumber {
  fileprivate var decimalDatabaseValue: DatabaseValue {
    let decimal = decimalValue
    var integer = Decimal()
    var source = decimal
    unsafe NSDecimalRound(&integer, &source, 0, .down)
    // The text of an integral Decimal has no exponent.
    if integer == decimal, let int64 = Int64(decimal.description) { return int64.databaseValue }
    // The nearest one: that of Foundation is divided by ten in steps that round.
    return (Double(decimal.description) ?? doubleValue).databaseValue
  }
}

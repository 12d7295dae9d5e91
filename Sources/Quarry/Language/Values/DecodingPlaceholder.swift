import Foundation

/// A type that has a value to return when a row subscript can't decode, while the library decodes a
/// record.
///
/// The row remembers the error, and the fetch throws it: nobody sees the placeholder but the
/// record's initializer.
protocol DecodingPlaceholder {
  static var decodingPlaceholder: Self { get }
}

extension DecodingPlaceholder where Self: Numeric {
  static var decodingPlaceholder: Self { 0 }
}

extension DecodingPlaceholder where Self: RangeReplaceableCollection {
  static var decodingPlaceholder: Self { Self() }
}

extension Int: DecodingPlaceholder {}
extension Int8: DecodingPlaceholder {}
extension Int16: DecodingPlaceholder {}
extension Int32: DecodingPlaceholder {}
extension Int64: DecodingPlaceholder {}
extension UInt: DecodingPlaceholder {}
extension UInt8: DecodingPlaceholder {}
extension UInt16: DecodingPlaceholder {}
extension UInt32: DecodingPlaceholder {}
extension UInt64: DecodingPlaceholder {}
extension Double: DecodingPlaceholder {}
extension Float: DecodingPlaceholder {}
extension CGFloat: DecodingPlaceholder {}
extension Decimal: DecodingPlaceholder {}
extension String: DecodingPlaceholder {}
extension Data: DecodingPlaceholder {}
extension Array: DecodingPlaceholder {}

extension Substring: DecodingPlaceholder {}

extension Character: DecodingPlaceholder {
  static var decodingPlaceholder: Character { " " }
}

extension Bool: DecodingPlaceholder {
  static var decodingPlaceholder: Bool { false }
}

extension Date: DecodingPlaceholder {
  static var decodingPlaceholder: Date { Date(timeIntervalSince1970: 0) }
}

extension UUID: DecodingPlaceholder {
  static var decodingPlaceholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}

extension URL: DecodingPlaceholder {
  static var decodingPlaceholder: URL { URL(fileURLWithPath: "/") }
}

extension DatabaseValue: DecodingPlaceholder {
  static var decodingPlaceholder: DatabaseValue { .null }
}

extension DatabaseDateComponents: DecodingPlaceholder {
  static var decodingPlaceholder: DatabaseDateComponents {
    DatabaseDateComponents(DateComponents(), format: .YMD)
  }
}

extension Optional: DecodingPlaceholder {
  static var decodingPlaceholder: Wrapped? { nil }
}

extension Set: DecodingPlaceholder {
  static var decodingPlaceholder: Set { [] }
}

extension Dictionary: DecodingPlaceholder {
  static var decodingPlaceholder: Dictionary { [:] }
}

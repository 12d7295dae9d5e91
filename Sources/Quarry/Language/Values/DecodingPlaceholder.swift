import Foundation

/// A type that has a value to return when a row subscript can't decode, while the library decodes a
/// record.
///
/// The row remembers the error, and the fetch throws it: nobody sees the placeholder but the
/// record's initializer. Numbers, dates and UUIDs need none: zeroed memory is a value of them (see
/// `ZeroedValue`).
protocol DecodingPlaceholder {
  static var decodingPlaceholder: Self { get }
}

extension DecodingPlaceholder where Self: RangeReplaceableCollection {
  static var decodingPlaceholder: Self { Self() }
}

extension String: DecodingPlaceholder {}
extension Data: DecodingPlaceholder {}
extension Array: DecodingPlaceholder {}
extension Substring: DecodingPlaceholder {}

extension Character: DecodingPlaceholder {
  static var decodingPlaceholder: Character { " " }
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

import Foundation

extension Database.ColumnType {
  /// The type of a column for all values of a Swift type, nil where it is not known.
  package init?(valuesOf type: Any.Type) {
    if let type = type as? any WrappingType.Type {
      self.init(valuesOf: type.wrappedType)
    } else if let type = type as? any RawRepresentable.Type {
      self.init(valuesOf: Self.rawType(type))
    } else if let type = Self.ofValues(type) {
      self = type
    } else {
      return nil
    }
  }

  private static func ofValues(_ type: Any.Type) -> Self? {
    switch type {
    case is Bool.Type: .boolean
    // The library `QuarryValues` stores wide integers as blobs.
    case let type as any FixedWidthInteger.Type: isWide(type) ? .blob : .integer
    case is any BinaryFloatingPoint.Type: .double
    case is String.Type, is URL.Type: .text
    case is Date.Type: .datetime
    case is Data.Type, is UUID.Type: .blob
    default: nil
    }
  }

  private static func isWide<T: FixedWidthInteger>(_ type: T.Type) -> Bool { T.bitWidth > 64 }

  private static func rawType<T: RawRepresentable>(_ type: T.Type) -> Any.Type { T.RawValue.self }
}

/// `Optional`, for types that are known at run time.
package protocol WrappingType: ExpressibleByNilLiteral {
  static var wrappedType: Any.Type { get }
}

extension Optional: WrappingType {
  package static var wrappedType: Any.Type { Wrapped.self }
}

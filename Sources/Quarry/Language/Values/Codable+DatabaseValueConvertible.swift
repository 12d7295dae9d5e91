import Foundation

// Several default implementations apply to a type that is both Codable and RawRepresentable, or
// bridged to a class: the most constrained one wins.

extension DatabaseValueConvertible where Self: Encodable {
  /// The value that the type encodes, or the JSON text of a type that encodes several values.
  ///
  /// A statement that binds a value whose encoding fails throws.
  public var databaseValue: DatabaseValue {
    do {
      return try DatabaseValueEncoder.encode(self) { Self.databaseJSONEncoder() }
    } catch {
      return .invalid("could not encode \(Self.self): \(error)")
    }
  }
}

extension DatabaseValueConvertible where Self: Decodable {
  /// Decodes the value, as a JSON text for a type that encodes several values, or returns nil.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    try? DatabaseValueDecoder.decode(Self.self, from: dbValue) { Self.databaseJSONDecoder() }
  }
}

extension DatabaseValueConvertible
where Self: Encodable, Self: RawRepresentable, Self.RawValue: DatabaseValueConvertible {
  /// The database value of the raw value.
  @inlinable
  public var databaseValue: DatabaseValue { rawValue.databaseValue }
}

extension DatabaseValueConvertible
where Self: Decodable, Self: RawRepresentable, Self.RawValue: DatabaseValueConvertible {
  /// Creates a value from its raw value, or returns nil when there is none.
  @inlinable
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    RawValue.converted(from: dbValue).flatMap { self.init(rawValue: $0) }
  }
}

public import Foundation

extension DatabaseValueConvertible
where Self: ReferenceConvertible, Self.ReferenceType: DatabaseValueConvertible {
  /// The database value of the Foundation class that the type is bridged to.
  public var databaseValue: DatabaseValue { referenceDatabaseValue }

  /// Creates a value from the Foundation class that the type is bridged to, or returns nil.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? { bridged(from: dbValue) }

  fileprivate var referenceDatabaseValue: DatabaseValue {
    guard let reference = (self as Any) as? ReferenceType else {
      return .invalid("could not convert \(Self.self) to \(ReferenceType.self)")
    }
    return reference.databaseValue
  }

  fileprivate static func bridged(from dbValue: DatabaseValue) -> Self? {
    guard let reference = ReferenceType.converted(from: dbValue) else { return nil }
    return (reference as Any) as? Self
  }
}

extension DatabaseValueConvertible
where Self: ReferenceConvertible, Self: Encodable, Self.ReferenceType: DatabaseValueConvertible {
  /// The database value of the Foundation class that the type is bridged to.
  public var databaseValue: DatabaseValue { referenceDatabaseValue }
}

extension DatabaseValueConvertible
where Self: ReferenceConvertible, Self: Decodable, Self.ReferenceType: DatabaseValueConvertible {
  /// Creates a value from the Foundation class that the type is bridged to, or returns nil.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? { bridged(from: dbValue) }
}

import Foundation
public import Quarry

/// Bytes that are stored as a blob, as a value or as a property wrapper:
///
/// ```swift
/// struct Image: Codable, FetchableRecord, PersistableRecord {
///   var id: Int64
///   @Bytes var thumbnail: [UInt8]  // x'89504e47…'
///   var preview: Bytes?
/// }
///
/// // SELECT * FROM image WHERE thumbnail = x'89504e47'
/// Image.filter(Column("thumbnail") == Bytes([0x89, 0x50, 0x4E, 0x47]))
/// ```
///
/// A property `[UInt8]` of a `Codable` record is a JSON array, `[137,80,78,71]`, as that of all
/// arrays, and remains one: its databases contain such texts. `Bytes` doesn't read them. What is no
/// blob throws, and is not taken for the bytes of a text.
@propertyWrapper
public struct Bytes: Hashable, Sendable {
  /// The bytes.
  public var array: [UInt8]

  /// The bytes, as the property that is wrapped.
  public var wrappedValue: [UInt8] {
    get { array }
    set { array = newValue }
  }

  /// Creates the wrapper of a property.
  public init(wrappedValue: [UInt8]) { array = wrappedValue }

  /// Creates a value from bytes.
  public init(_ bytes: some Sequence<UInt8>) { array = Array(bytes) }
}

extension Bytes: ExpressibleByArrayLiteral {
  /// Creates a value from a literal such as `[0x89, 0x50]`.
  public init(arrayLiteral bytes: UInt8...) { array = bytes }
}

extension Bytes: DatabaseValueConvertible {
  /// The blob.
  public var databaseValue: DatabaseValue { Data(array).databaseValue }

  /// Returns the bytes of a blob, and nil for all other values.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Bytes? {
    guard case .blob(let data) = dbValue.storage else { return nil }
    return Bytes(data)
  }
}

extension Bytes: Codable {
  /// Decodes what `Data` encodes: Base64 in JSON.
  public init(from decoder: any Decoder) throws {
    array = Array(try decoder.singleValueContainer().decode(Data.self))
  }

  /// Encodes the bytes as `Data`: Base64 in JSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(array))
  }
}

extension Bytes: CustomStringConvertible {
  /// A description such as `Bytes(3 bytes)`.
  public var description: String { "Bytes(\(array.count) bytes)" }
}

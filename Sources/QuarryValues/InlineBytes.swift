import Foundation
public import Quarry

/// Stored as a blob of as many bytes. A blob of another length, and what is no blob, throws when it
/// is read.
///
/// ```swift
/// // SELECT name FROM file WHERE digest = x'9f86d081'
/// let digest: [4 of UInt8] = [0x9F, 0x86, 0xD0, 0x81]
/// try String.fetchOne(db, sql: "SELECT name FROM file WHERE digest = ?", arguments: [digest])
/// ```
///
/// The standard library does not make it `Codable`: see ``InlineBytes``.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
extension InlineArray: DatabaseValueConvertible, SQLExpressible, StatementBinding
where Element == UInt8 {
  /// The blob.
  public var databaseValue: DatabaseValue { Data(indices.map { self[$0] }).databaseValue }

  /// Returns the bytes of a blob of this length, and nil for all other values.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> InlineArray? {
    guard case .blob(let data) = dbValue.storage, data.count == count else { return nil }
    return InlineArray { data[data.startIndex + $0] }
  }
}

/// A fixed number of bytes in a `Codable` record, stored as a blob:
///
/// ```swift
/// struct File: Codable, FetchableRecord, PersistableRecord {
///   var name: String
///   @InlineBytes var digest: [32 of UInt8]
/// }
/// ```
///
/// In JSON it is Base64, as `Data` is.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
@propertyWrapper
public struct InlineBytes<let count: Int>: Sendable {
  /// The bytes.
  public var wrappedValue: InlineArray<count, UInt8>

  /// Creates the wrapper of a property.
  public init(wrappedValue: InlineArray<count, UInt8>) { self.wrappedValue = wrappedValue }

  private var array: [UInt8] { wrappedValue.indices.map { wrappedValue[$0] } }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
extension InlineBytes: DatabaseValueConvertible {
  /// The blob.
  public var databaseValue: DatabaseValue { wrappedValue.databaseValue }

  /// Returns the bytes of a blob of this length, and nil for all other values.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> InlineBytes? {
    InlineArray.fromDatabaseValue(dbValue).map { InlineBytes(wrappedValue: $0) }
  }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
extension InlineBytes: Codable {
  /// Decodes what `Data` encodes, and throws for another number of bytes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let data = try container.decode(Data.self)
    guard let bytes = Self.fromDatabaseValue(data.databaseValue) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(data.count) bytes instead of \(count)")
    }
    self = bytes
  }

  /// Encodes the bytes as `Data`: Base64 in JSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(array))
  }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
extension InlineBytes: Hashable {
  /// Returns whether the bytes are the same.
  public static func == (lhs: InlineBytes, rhs: InlineBytes) -> Bool { lhs.array == rhs.array }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(array) }
}

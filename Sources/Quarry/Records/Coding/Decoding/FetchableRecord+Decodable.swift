extension FetchableRecord where Self: Decodable {
  /// Creates a record from a row, with the `Decodable` initialiser of the type.
  ///
  /// A property is looked for among the columns, then among the scopes of the row (see
  /// ``Row/scopes``), then among its prefetched rows (see ``Row/prefetchedRows``). Properties that
  /// are no database values are decoded from JSON.
  ///
  /// - Throws: ``RowDecodingError`` or `DecodingError`, with the column, the value, and the SQL.
  @inlinable public init(row: Row) throws {
    do {
      try self.init(from: row.decoder(for: Self.self))
    } catch let error as RowDecodingError {
      throw error.decoding(Self.self)
    }
  }
}

/// Decodes records from rows with their `Decodable` initialiser.
///
/// For records whose ``FetchableRecord/init(row:)`` does more than this:
///
/// ```swift
/// struct Player: Decodable, FetchableRecord {
///   var name: String
///   var fetched = Date()
///
///   enum CodingKeys: CodingKey { case name }
///
///   init(row: Row) throws {
///     self = try FetchableRecordDecoder().decode(Player.self, from: row)
///     fetched = Date()
///   }
/// }
/// ```
public class FetchableRecordDecoder {
  /// Creates a decoder.
  public init() {}

  /// Decodes a record.
  ///
  /// - Throws: ``RowDecodingError`` or `DecodingError`, with the column, the value, and the SQL.
  public func decode<T: FetchableRecord & Decodable>(_ type: T.Type, from row: Row) throws -> T {
    do {
      return try T(from: row.recordDecoder(for: T.self))
    } catch let error as RowDecodingError {
      throw error.decoding(T.self)
    }
  }
}

extension FetchableRecord {
  /// Creates a record from a row. Errors name its type.
  @inlinable package static func decoded(from row: Row) throws -> Self {
    // A failure of the record around it has another name.
    let hadFailed = row.rootHasFailed
    defer { if !hadFailed { row.nameFailure(Self.self) } }
    do {
      return try Self(row: row)
    } catch let error as RowDecodingError {
      throw error.decoding(Self.self)
    }
  }
}

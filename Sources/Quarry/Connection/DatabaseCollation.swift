import CSQLite
public import Foundation

/// An order of texts, written in Swift.
///
/// ```swift
/// let collation = DatabaseCollation("localized") { $0.localizedCompare($1) }
/// db.add(collation: collation)
/// // SELECT * FROM "player" ORDER BY "name" COLLATE localized
/// try Player.order(Column("name").collating(collation)).fetchAll(db)
/// ```
///
/// See <https://www.sqlite.org/datatype3.html#collation>.
public final class DatabaseCollation: Identifiable, Sendable {
  /// The name, without regard to the case of letters.
  public struct ID: Hashable, Sendable {
    let name: String
  }

  /// The name of the collation.
  public let name: String

  let compare: @Sendable (String, String) -> ComparisonResult

  /// Creates a collation.
  public init(
    _ name: String, function: @escaping @Sendable (String, String) -> ComparisonResult
  ) {
    self.name = name
    compare = function
  }

  /// The identity of the collation.
  public var id: ID { ID(name: name.lowercased()) }
}

extension Database {
  /// Adds a collation to the connection, or replaces the one with the same name.
  ///
  /// See <https://www.sqlite.org/c3ref/create_collation.html>.
  public func add(collation: DatabaseCollation) {
    guard let sqliteConnection else { return }
    let context = Unmanaged.passRetained(collation)
    let code = sqlite3_create_collation_v2(
      sqliteConnection, collation.name, SQLITE_UTF8, context.toOpaque(),
      { context, count1, bytes1, count2, bytes2 in
        guard let context else { return 0 }
        let collation = Unmanaged<DatabaseCollation>.fromOpaque(context).takeUnretainedValue()
        let left = UnsafeRawBufferPointer(start: bytes1, count: Int(count1))
        let right = UnsafeRawBufferPointer(start: bytes2, count: Int(count2))
        return CInt(
          collation.compare(
            String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)
          ).rawValue)
      },
      { context in
        guard let context else { return }
        Unmanaged<DatabaseCollation>.fromOpaque(context).release()
      })
    // SQLite refuses to replace a collation that is in use, and then does not release the new one.
    if code != SQLITE_OK { context.release() }
  }

  /// Removes a collation from the connection.
  public func remove(collation: DatabaseCollation) {
    guard let sqliteConnection else { return }
    sqlite3_create_collation_v2(sqliteConnection, collation.name, SQLITE_UTF8, nil, nil, nil)
  }
}

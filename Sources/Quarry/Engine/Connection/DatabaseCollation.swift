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
    let name: BinaryText
  }

  /// The name of the collation.
  public let name: String

  let compare: @Sendable (String, String) -> ComparisonResult

  /// Creates a collation.
  public init(_ name: String, function: @escaping @Sendable (String, String) -> ComparisonResult) {
    self.name = name
    compare = function
  }

  /// The identity of the collation.
  public var id: ID { ID(name: name.identifierKey) }
}

extension Database {
  /// Adds a collation to the connection, or replaces the one with the same name.
  ///
  /// While statements are running, a collation can't be replaced: they end with the former one, and
  /// the new one comes into force afterwards.
  ///
  /// See <https://www.sqlite.org/c3ref/create_collation.html>.
  public func add(collation: DatabaseCollation) {
    register(CollationRegistration(collation: collation, isRemoval: false))
  }

  /// Removes the collation with the same name from the connection. See ``add(collation:)``.
  public func remove(collation: DatabaseCollation) {
    register(CollationRegistration(collation: collation, isRemoval: true))
  }
}

/// Adds or removes a collation.
struct CollationRegistration: Registration {
  let collation: DatabaseCollation
  let isRemoval: Bool
  var name: String { collation.name }

  func apply(to connection: SQLiteConnection) -> CInt {
    // A name ends at its first NUL: it would be the name of another collation.
    if collation.name.utf8.contains(0) { return SQLITE_MISUSE }
    guard !isRemoval else {
      return unsafe sqlite3_create_collation_v2(
        connection, collation.name, SQLITE_UTF8, nil, nil, nil)
    }
    let context = unsafe Unmanaged.passRetained(collation)
    let code = unsafe sqlite3_create_collation_v2(
      connection, collation.name, SQLITE_UTF8, context.toOpaque(), Self.compare,
      Unmanaged<AnyObject>.releaseContext)
    // SQLite does not release a collation that it refuses.
    if code != SQLITE_OK { unsafe context.release() }
    return code
  }

  private static let compare:
    @convention(c) (
      UnsafeMutableRawPointer?, CInt, UnsafeRawPointer?, CInt, UnsafeRawPointer?
    ) -> CInt = { context, count1, bytes1, count2, bytes2 in
      guard let collation = unsafe Unmanaged<DatabaseCollation>.context(context) else { return 0 }
      let left = unsafe UnsafeRawBufferPointer(start: bytes1, count: Int(count1))
      let right = unsafe UnsafeRawBufferPointer(start: bytes2, count: Int(count2))
      let result = unsafe collation.compare(
        String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
      return CInt(result.rawValue)
    }
}

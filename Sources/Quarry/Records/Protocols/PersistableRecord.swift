/// A type whose values are inserted, updated, and deleted in a table, and don't change when they
/// are inserted.
///
/// ```swift
/// struct Country: Codable, PersistableRecord {
///   var code: String
///   var name: String
/// }
///
/// try Country(code: "FR", name: "France").insert(db)
/// ```
///
/// Classes conform to this protocol, and can set their identifier in ``didInsert(_:)``. Structures
/// that do so conform to ``MutablePersistableRecord``.
public protocol PersistableRecord: MutablePersistableRecord {
  /// Called before the record is inserted.
  ///
  /// - Throws: an error that prevents the insertion.
  func willInsert(_ db: Database) throws

  /// Called after the insertion.
  ///
  /// See ``MutablePersistableRecord/didInsert(_:)``.
  func didInsert(_ inserted: InsertionSuccess)
}

extension PersistableRecord {
  /// Does nothing.
  @inlinable
  public func willInsert(_ db: Database) throws {
    db.defaultCallbacks.willInsert = ObjectIdentifier(type(of: self))
  }

  /// Does nothing.
  @inlinable
  public func didInsert(_ inserted: InsertionSuccess) {}
}

/// A type whose values are inserted, updated, and deleted in a table.
///
/// Inserting a record may change it: structures with an identifier made by the database set it in
/// ``didInsert(_:)``. Types that don't change conform to ``PersistableRecord``.
///
/// ```swift
/// struct Player: Codable, MutablePersistableRecord {
///   var id: Int64?
///   var name: String
///
///   mutating func didInsert(_ inserted: InsertionSuccess) {
///     id = inserted.rowID
///   }
/// }
///
/// var player = Player(id: nil, name: "Alice")
/// try player.insert(db)
/// print(player.id) // some id
/// ```
///
/// Methods call the callbacks and execute the statement in this order:
///
/// | method | callbacks |
/// | --- | --- |
/// | insert, upsert | `willSave`, `aroundSave` { `willInsert`, `aroundInsert` { statement }, `didInsert` }, `didSave` |
/// | update | `willSave`, `aroundSave` { `willUpdate`, `aroundUpdate` { statement }, `didUpdate` }, `didSave` |
/// | save | the callbacks of an update, then those of an insert in the same `aroundSave` when there is no row to update |
/// | delete | `willDelete`, `aroundDelete` { statement }, `didDelete` |
public protocol MutablePersistableRecord: TableRecord, EncodableRecord {
  /// The conflict resolution algorithms of inserts and updates. By default, they fail.
  static var persistenceConflictPolicy: PersistenceConflictPolicy { get }

  /// Whether the type has an ``aroundInsert(_:insert:)`` or ``aroundSave(_:save:)`` callback. False
  /// by default.
  ///
  /// A statement that inserts many records can't run callbacks around the insertion of each one. So
  /// ``insert(_:contentsOf:onConflict:)`` inserts the records of the types that have them one by
  /// one, and asks these types to declare it:
  ///
  /// ```swift
  /// struct Book: Codable, MutablePersistableRecord {
  ///   static var hasAroundCallbacks: Bool { true }
  ///
  ///   func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
  ///     let inserted = try insert()
  ///     print("Inserted the book with rowid \(inserted.rowID)")
  ///   }
  /// }
  /// ```
  static var hasAroundCallbacks: Bool { get }

  /// The column that each update of a record raises by one, for types that have one: nil for
  /// others. Not for applications.
  static var _versionColumn: String? { get }

  /// Called on a record that has been updated, where it can be changed. Not for applications.
  mutating func _didRaiseVersion(_ db: Database)

  /// Called before the record is inserted.
  ///
  /// - Throws: an error that prevents the insertion.
  mutating func willInsert(_ db: Database) throws

  /// Called around the insertion: must call `insert`, once.
  ///
  /// ```swift
  /// func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
  ///   print("before")
  ///   _ = try insert()
  ///   print("after")
  /// }
  /// ```
  ///
  /// - Throws: the error of `insert`, or another one.
  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws

  /// Called after the insertion. Set the identifier of the record here.
  ///
  /// It is also called after an `INSERT OR IGNORE` that inserted nothing, unless by
  /// `save(_:onConflict:)`: the rowid is then that of an earlier insertion. It is not called when
  /// a trigger or a constraint of the table skipped the row, or the triggers of a view inserted no
  /// row for a record without a key: the record keeps its identifier, or stays without one. A
  /// statement that inserts several records throws then: see ``insert(_:contentsOf:onConflict:)``.
  mutating func didInsert(_ inserted: InsertionSuccess)

  /// Called before the record is updated, with the requested columns.
  ///
  /// - Throws: an error that prevents the update.
  func willUpdate(_ db: Database, columns: Set<String>) throws

  /// Called around the update: must call `update`, once.
  ///
  /// - Throws: the error of `update`, or another one.
  func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess) throws

  /// Called after the update.
  func didUpdate(_ updated: PersistenceSuccess)

  /// Called before the record is inserted or updated.
  ///
  /// - Throws: an error that prevents it.
  func willSave(_ db: Database) throws

  /// Called around the insertion or the update: must call `save`, once.
  ///
  /// - Throws: the error of `save`, or another one.
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws

  /// Called after the insertion or the update.
  func didSave(_ saved: PersistenceSuccess)

  /// Called before the record is deleted.
  ///
  /// - Throws: an error that prevents the deletion.
  func willDelete(_ db: Database) throws

  /// Called around the deletion: must call `delete`, once.
  ///
  /// - Throws: the error of `delete`, or another one.
  func aroundDelete(_ db: Database, delete: () throws -> Bool) throws

  /// Called after the deletion, with a flag for whether a row was deleted.
  func didDelete(deleted: Bool)
}

extension MutablePersistableRecord {
  /// Inserts and updates fail when a constraint is violated.
  public static var persistenceConflictPolicy: PersistenceConflictPolicy { .init() }

  /// No callbacks around insertions.
  public static var hasAroundCallbacks: Bool { false }

  /// No version. Not for applications.
  public static var _versionColumn: String? { nil }

  /// Does nothing. Not for applications.
  @inlinable
  public mutating func _didRaiseVersion(_ db: Database) {}

  /// Does nothing.
  @inlinable
  public mutating func willInsert(_ db: Database) throws {
    db.defaultCallbacks.willInsert = ObjectIdentifier(type(of: self))
  }

  /// Inserts.
  @inlinable
  public func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    db.defaultCallbacks.aroundInsert = ObjectIdentifier(type(of: self))
    _ = try insert()
  }

  /// Does nothing.
  @inlinable
  public mutating func didInsert(_ inserted: InsertionSuccess) {}

  /// Does nothing.
  @inlinable
  public func willUpdate(_ db: Database, columns: Set<String>) throws {
    db.defaultCallbacks.willUpdate = ObjectIdentifier(type(of: self))
  }

  /// Updates.
  @inlinable
  public func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    db.defaultCallbacks.aroundUpdate = ObjectIdentifier(type(of: self))
    _ = try update()
  }

  /// Does nothing.
  @inlinable
  public func didUpdate(_ updated: PersistenceSuccess) {}

  /// Does nothing.
  @inlinable
  public func willSave(_ db: Database) throws {}

  /// Saves.
  @inlinable
  public func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    db.defaultCallbacks.aroundSave = ObjectIdentifier(type(of: self))
    _ = try save()
  }

  /// Does nothing.
  @inlinable
  public func didSave(_ saved: PersistenceSuccess) {}

  /// Does nothing.
  public func willDelete(_ db: Database) throws {}

  /// Deletes.
  public func aroundDelete(_ db: Database, delete: () throws -> Bool) throws { _ = try delete() }

  /// Does nothing.
  public func didDelete(deleted: Bool) {}
}

/// A type with a version or marked deletions, if its record protocols know of them. Not for
/// applications.
public protocol _CheckedRecord {
  /// - Throws: ``DatabaseError`` for a type that was a record before it got one of them.
  static func _checkConformance() throws
}

/// Something that has a region: a request, a table, a region.
///
/// ```swift
/// struct Catalog: DatabaseRegionConvertible {
///   func databaseRegion(_ db: Database) throws -> DatabaseRegion {
///     try Table("author").databaseRegion(db).union(Table("book").databaseRegion(db))
///   }
/// }
/// ```
public protocol DatabaseRegionConvertible: Sendable {
  /// Returns the region.
  ///
  /// - throws: the error of the preparation of a request, which is never executed.
  func databaseRegion(_ db: Database) throws -> DatabaseRegion
}

extension DatabaseRegionConvertible where Self == DatabaseRegion {
  /// The region of the full database: all columns and rows of all tables.
  public static var fullDatabase: DatabaseRegion { DatabaseRegion.fullDatabase }
}

extension DatabaseRegion: DatabaseRegionConvertible {
  /// Returns the region itself.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion { self }
}

/// Something that has a region, and whose type is hidden.
///
/// ```swift
/// let region = AnyDatabaseRegionConvertible { db in try Book.filter(id: 1).databaseRegion(db) }
/// ```
public struct AnyDatabaseRegionConvertible: DatabaseRegionConvertible {
  private let region: @Sendable (Database) throws -> DatabaseRegion

  /// Creates it from a closure, which is called each time the region is needed.
  public init(_ region: @escaping @Sendable (Database) throws -> DatabaseRegion) {
    self.region = region
  }

  /// Hides the type of something that has a region.
  public init(_ region: some DatabaseRegionConvertible) {
    self.region = { db in try region.databaseRegion(db) }
  }

  /// Returns the region.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion { try region(db) }
}

extension Sequence<any DatabaseRegionConvertible> {
  /// The union of all regions.
  func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    try reduce(into: DatabaseRegion()) { try $0.formUnion($1.databaseRegion(db)) }
  }
}

/// What a database can do beyond statements.
///
/// ```swift
/// if !cluster.capabilities.contains(.rowEvents) {
///   print("observers of transactions get no event for each row")
/// }
/// ```
public struct DatabaseCapabilities: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Creates capabilities from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Functions and aggregates in Swift.
  public static let swiftFunctions = Self(rawValue: 1 << 0)
  /// Collations in Swift, and those of the library.
  public static let swiftCollations = Self(rawValue: 1 << 1)
  /// Virtual tables and tokenizers in Swift.
  public static let swiftTables = Self(rawValue: 1 << 2)
  /// Extensions of SQLite.
  public static let extensions = Self(rawValue: 1 << 3)
  /// `ATTACH`.
  public static let attachedDatabases = Self(rawValue: 1 << 4)
  /// Streams of blobs.
  public static let blobStreams = Self(rawValue: 1 << 5)
  /// Backups page by page, and serialization.
  public static let backups = Self(rawValue: 1 << 6)
  /// Sessions: changesets, undo, logs of changes.
  public static let sessions = Self(rawValue: 1 << 7)
  /// Snapshots that outlive their transaction.
  public static let snapshots = Self(rawValue: 1 << 8)
  /// Observers of transactions are notified of each row.
  public static let rowEvents = Self(rawValue: 1 << 9)
  /// Observations of regions: `ValueObservation` and `DatabaseRegionObservation`.
  public static let observation = Self(rawValue: 1 << 10)
  /// Full-text tables of SQLite's own tokenizers, R*Trees, JSON.
  public static let builtInModules = Self(rawValue: 1 << 11)
  /// The database survives the loss of a machine.
  public static let replication = Self(rawValue: 1 << 12)

  static let cluster: Self = [.observation, .builtInModules, .replication]
}

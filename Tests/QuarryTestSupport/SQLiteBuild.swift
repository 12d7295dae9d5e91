import Foundation
import Quarry
public import Testing

/// A feature that builds of SQLite may lack. `Scripts/sqlite` has the builds that the tests run
/// with: `newest` has all features, `newest-bare` has none.
///
/// See <https://www.sqlite.org/compile.html>.
public enum SQLiteFeature: CaseIterable, Sendable {
  /// FTS3, FTS4 and FTS5.
  case fullText
  case rTree
  case preUpdateHook
  /// Sessions, which record changes with the preupdate hook.
  case sessions
  case snapshots
  /// Extensions in files.
  case loadableExtensions
  /// `UPDATE` and `DELETE` with `LIMIT`.
  case limitedModifications
  /// Databases in memory that several connections use.
  case sharedCache
  /// Keys with lists of values, for virtual tables.
  case virtualTableLists
  /// `LIMIT`, for virtual tables.
  case virtualTableLimits
  /// `ORDER BY` in aggregates.
  case orderedAggregates
  case jsonb
  /// Operators and parentheses in patterns of FTS3 and FTS4.
  case fullTextOperators
  /// SQLCipher.
  case encryption

  /// Whether the library that runs has the feature.
  public var isAvailable: Bool {
    switch self {
    case .fullText:
      SQLiteBuild.isUsed("ENABLE_FTS3") && SQLiteBuild.isUsed("ENABLE_FTS4")
        && SQLiteBuild.isUsed("ENABLE_FTS5")
    case .rTree: SQLiteBuild.isUsed("ENABLE_RTREE")
    case .preUpdateHook: SQLiteBuild.isUsed("ENABLE_PREUPDATE_HOOK")
    case .sessions: SQLiteBuild.isUsed("ENABLE_SESSION")
    case .snapshots: SQLiteBuild.isUsed("ENABLE_SNAPSHOT")
    case .loadableExtensions: !SQLiteBuild.isUsed("OMIT_LOAD_EXTENSION")
    case .limitedModifications: SQLiteBuild.isUsed("ENABLE_UPDATE_DELETE_LIMIT")
    case .sharedCache: !SQLiteBuild.isUsed("OMIT_SHARED_CACHE")
    case .virtualTableLists: SQLiteBuild.version >= 3_038_000
    case .virtualTableLimits, .orderedAggregates: SQLiteBuild.version >= 3_044_000
    case .jsonb: SQLiteBuild.version >= 3_045_000
    case .fullTextOperators: SQLiteBuild.isUsed("ENABLE_FTS3_PARENTHESIS")
    case .encryption: SQLiteBuild.isUsed("HAS_CODEC")
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// The test runs with builds of SQLite that have the features.
  public static func needs(_ features: SQLiteFeature...) -> Self {
    .enabled(
      if: features.allSatisfy(\.isAvailable),
      "SQLite \(SQLiteBuild.name) lacks \(features): make test SQLITE=\(SQLiteBuild.with(features))"
    )
  }

  /// The test runs with builds of SQLite that lack the feature.
  public static func lacks(_ feature: SQLiteFeature) -> Self {
    .enabled(
      if: !feature.isAvailable,
      "SQLite \(SQLiteBuild.name) has \(feature): \(SQLiteBuild.without(feature))")
  }
}

/// The library that runs.
public enum SQLiteBuild {
  /// 3040001 for 3.40.1.
  public static let version = Int(Database.sqliteLibVersionNumber)

  /// The build of `Scripts/sqlite`. Nil for the library of the system.
  public static let requestedName = ProcessInfo.processInfo.environment["QUARRY_SQLITE"]

  static var name: String { requestedName ?? "of the system" }

  /// The options that the library was compiled with, without `SQLITE_`.
  public static let options: Set<String> = (try? fetchOptions()) ?? []

  private static func fetchOptions() throws -> Set<String> {
    try DatabaseQueue().read { db in try String.fetchSet(db, sql: "PRAGMA compile_options") }
  }

  static func isUsed(_ option: String) -> Bool {
    options.contains(option) || options.contains("\(option)=1")
  }

  static func with(_ features: [SQLiteFeature]) -> String {
    features.contains(.encryption) ? "sqlcipher" : "newest"
  }

  static func without(_ feature: SQLiteFeature) -> String {
    switch feature {
    case .encryption: "make test"
    case .virtualTableLists, .virtualTableLimits, .orderedAggregates, .jsonb:
      "run `make test` where SQLite is older, such as Debian 12"
    case .fullText, .rTree, .preUpdateHook, .sessions, .snapshots, .limitedModifications,
      .sharedCache, .loadableExtensions, .fullTextOperators:
      "make test SQLITE=newest-bare"
    }
  }

  /// The number of parentheses inside each other that the parser takes: its stack has 100 entries
  /// in versions before 3.46, and grows without a limit in those before 3.53.
  public static let parserDepth =
    switch version {
    case ..<3_046_000: 100
    case ..<3_053_000: Int.max
    default: 2_500
    }

  /// Whether streams open the blobs of tables with generated columns. Such streams would leave
  /// stored ones and indexes as they are.
  ///
  /// See <https://www.sqlite.org/c3ref/blob_open.html>.
  public static let opensBlobsBesideGeneratedColumns = version < 3_053_000

  /// The message of `load_extension()`, which connections don't allow, and builds may not have.
  public static let extensionRefusal =
    isUsed("OMIT_LOAD_EXTENSION") ? "no such function: load_extension" : "not authorized"

  private static let hint = " - should this be a string literal in single-quotes?"

  /// The message for a column that does not exist, whose name is in double quotes: later versions
  /// suspect that it is a text.
  public static func noSuchColumn(_ name: String) -> String {
    "no such column: " + (givesHint ? "\"\(name)\"\(hint)" : name)
  }

  /// A message as it is before the versions that suspect a text.
  public static func withoutHint(_ message: String) -> String {
    message.replacing(
      /no such column: "([^"]*)" - should this be a string literal in single-quotes\?/
    ) {
      "no such column: \($0.1)"
    }
  }

  private static let givesHint: Bool = {
    let error = databaseError {
      try DatabaseQueue().read { db in try Row.fetchOne(db, sql: #"SELECT "x""#) }
    }
    return error?.message?.contains(hint) == true
  }()
}

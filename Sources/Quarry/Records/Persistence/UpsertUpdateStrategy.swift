/// The columns that an upsert overwrites when the row exists already.
///
/// ```swift
/// // INSERT INTO "player" … ON CONFLICT("id") DO UPDATE SET "score" = MAX("score", "excluded"."score")
/// try player.upsertAndFetch(
///   db, onConflict: ["id"], updating: .noColumnUnlessSpecified
/// ) { excluded in
///   [Column("score").set(to: max(Column("score"), excluded["score"]))]
/// }
/// ```
public struct UpsertUpdateStrategy: OptionSet, Sendable {
  /// The raw value.
  public let rawValue: Int

  /// Creates a strategy from its raw value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Only the columns with an assignment are overwritten.
  public static let noColumnUnlessSpecified = UpsertUpdateStrategy(rawValue: 1)

  /// All columns are overwritten, but those of the primary key and of the conflict target.
  public static let allColumns: UpsertUpdateStrategy = []
}

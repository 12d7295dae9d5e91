import Quarry

/// The columns of a record that an insertion writes.
///
/// ```swift
/// // INSERT INTO "player" ("name") VALUES (?)
/// var player = Player(id: nil, name: "Alice", score: nil)
/// try player.insert(db, columns: .nonNull)
/// ```
public enum InsertedColumns: Sendable {
  /// All columns that the record encodes.
  case all

  /// The columns whose value is not NULL: the others get the default value of the table.
  ///
  /// See <https://www.sqlite.org/lang_createtable.html#the_default_clause>.
  case nonNull
}

/// The action of an insertion, instead of a failure, when a unique constraint is violated.
///
/// ```swift
/// // INSERT INTO "player" ("id", "email") VALUES (?,?) ON CONFLICT("email") DO NOTHING
/// let isNew = try player.insert(db, onConflict: .doNothing(on: ["email"]))
/// ```
///
/// See <https://www.sqlite.org/lang_upsert.html>.
public struct InsertionConflictAction: Sendable {
  /// The columns of the unique key, none for any key.
  let conflictTarget: [String]

  /// Inserts nothing when any unique constraint is violated. Other constraints still fail.
  public static let doNothing = InsertionConflictAction(conflictTarget: [])

  /// Inserts nothing when the unique constraint on some columns is violated. Other constraints
  /// still fail.
  public static func doNothing(on columns: [String]) -> InsertionConflictAction {
    InsertionConflictAction(conflictTarget: columns)
  }
}

extension InsertRule {
  init(_ conflict: Database.ConflictResolution?, _ columns: InsertedColumns) {
    self.init(conflict: conflict, omitsNulls: columns == .nonNull)
  }

  init(_ action: InsertionConflictAction) {
    self.init(conflict: .abort, ignoredKey: action.conflictTarget)
  }
}

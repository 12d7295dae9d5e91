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

/// How the row of a record is inserted.
struct InsertRule {
  /// The conflict resolution, nil for the one of the record type.
  var conflict: Database.ConflictResolution?
  var columns = InsertedColumns.all
  /// The unique key whose conflicts insert nothing: no column for any key.
  var ignoredKey: [String]?
}

extension InsertRule {
  /// Whether the rule is a conflict resolution only.
  var insertsPlainly: Bool { columns == .all && ignoredKey == nil }

  init(_ action: InsertionConflictAction) {
    self.init(conflict: .abort, ignoredKey: action.conflictTarget)
  }
}

extension Database.ConflictResolution {
  /// The text after `OR`. `ABORT` is the default of SQLite.
  var keyword: String? { self == .abort ? nil : rawValue }
}

/// Leaves the callbacks around an insertion that inserted nothing.
struct NothingInserted: Error {}

extension InsertedColumns {
  /// The columns to write.
  func written(_ container: PersistenceContainer) -> PersistenceContainer {
    switch self {
    case .all: return container
    case .nonNull:
      var written = PersistenceContainer()
      for (column, value) in container where !value.isNull {
        written.set(value, forColumn: column)
      }
      return written
    }
  }
}

/// When a trigger runs its statements. See <https://www.sqlite.org/lang_createtrigger.html>.
public enum TriggerTiming: String, Hashable, Sendable {
  /// Before the row is changed.
  case before = "BEFORE"

  /// After the row has been changed.
  case after = "AFTER"

  /// Instead of the change of a row of a view.
  case insteadOf = "INSTEAD OF"
}

/// The event that runs a trigger. See <https://www.sqlite.org/lang_createtrigger.html>.
public enum TriggerEvent: Hashable, Sendable {
  /// A row is inserted.
  case insert

  /// A row is deleted.
  case delete

  /// A row is updated: one of the given columns, if there are any.
  case update(of: [String]? = nil)

  /// A row is updated.
  public static var update: TriggerEvent { .update(of: nil) }
}

/// The effect of `RAISE` on the statement that has run a trigger.
///
/// See <https://www.sqlite.org/lang_createtrigger.html#raise>.
public enum TriggerFailure: String, Hashable, Sendable {
  /// The statement fails, and its changes are undone.
  case abort = "ABORT"

  /// The statement fails, and its earlier changes stay.
  case fail = "FAIL"

  /// The whole transaction is rolled back.
  case rollback = "ROLLBACK"
}

/// The options of the creation of a trigger.
public struct TriggerOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `IF NOT EXISTS`: nothing happens if the trigger exists.
  public static let ifNotExists = TriggerOptions(rawValue: 1 << 0)

  /// `TEMPORARY`: the trigger belongs to the connection, and goes with it.
  public static let temporary = TriggerOptions(rawValue: 1 << 1)
}

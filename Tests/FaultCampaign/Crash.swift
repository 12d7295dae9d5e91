import CFaults

/// What the process does, for the case that it crashes: it is written to the standard error then.
public enum Crash {
  /// Has the process say what it did when it crashes.
  public static func report() { quarry_crash_report() }

  static func note(_ what: String) { quarry_crash_note(what) }
}

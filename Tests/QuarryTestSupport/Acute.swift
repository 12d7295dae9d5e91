/// `é` in two ways, which are equal in Swift, and different in SQLite.
public enum Acute {
  /// One scalar.
  public static let composed = "\u{e9}"
  /// A letter, and its accent.
  public static let decomposed = "e\u{301}"
}

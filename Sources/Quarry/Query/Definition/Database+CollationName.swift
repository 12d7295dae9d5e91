extension Database {
  /// The name of a collation: a way to compare strings.
  ///
  /// See <https://www.sqlite.org/datatype3.html#collation>.
  public struct CollationName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a collation name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `BINARY`: strings are compared by bytes.
    public static let binary = CollationName(rawValue: "BINARY")

    /// `NOCASE`: the 26 Latin capitals are equal to their lower-case letters.
    public static let nocase = CollationName(rawValue: "NOCASE")

    /// `RTRIM`: trailing spaces are ignored.
    public static let rtrim = CollationName(rawValue: "RTRIM")
  }
}

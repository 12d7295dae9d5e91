/// A language of ``SnowballTokenizer``.
///
/// See <https://snowballstem.org/algorithms/>.
public struct SnowballLanguage: RawRepresentable, Hashable, Sendable {
  /// The name of the algorithm in libstemmer.
  public let rawValue: String

  /// Creates a language that the installed library knows, and that has no name here.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Danish
  public static let danish = SnowballLanguage(rawValue: "danish")
  /// Dutch
  public static let dutch = SnowballLanguage(rawValue: "dutch")
  /// English
  public static let english = SnowballLanguage(rawValue: "english")
  /// Finnish
  public static let finnish = SnowballLanguage(rawValue: "finnish")
  /// French
  public static let french = SnowballLanguage(rawValue: "french")
  /// German
  public static let german = SnowballLanguage(rawValue: "german")
  /// Hungarian
  public static let hungarian = SnowballLanguage(rawValue: "hungarian")
  /// Italian
  public static let italian = SnowballLanguage(rawValue: "italian")
  /// Norwegian
  public static let norwegian = SnowballLanguage(rawValue: "norwegian")
  /// Portuguese
  public static let portuguese = SnowballLanguage(rawValue: "portuguese")
  /// Romanian
  public static let romanian = SnowballLanguage(rawValue: "romanian")
  /// Russian
  public static let russian = SnowballLanguage(rawValue: "russian")
  /// Spanish
  public static let spanish = SnowballLanguage(rawValue: "spanish")
  /// Swedish
  public static let swedish = SnowballLanguage(rawValue: "swedish")
  /// Turkish
  public static let turkish = SnowballLanguage(rawValue: "turkish")
}

// Texts and their full-text index.

extension Dataset {
  /// A table of texts, an FTS5 table that follows it, and the triggers by which it does: as the
  /// toolkits make them.
  public static func articleTables(_ name: String) -> [String] {
    let index = "\(name)Index"
    let columns = "\"rowid\", \"title\", \"body\""
    func insertion() -> String {
      "INSERT INTO \(index)(\(columns)) VALUES (new.id, new.title, new.body);"
    }
    func deletion() -> String {
      "INSERT INTO \(index)(\(index), \(columns)) VALUES('delete', old.id, old.title, old.body);"
    }
    return [
      "CREATE TABLE \(name)(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL)",
      "CREATE VIRTUAL TABLE \(index) USING fts5(title, body, content='\(name)', content_rowid='id')",
      "CREATE TRIGGER __\(index)_ai AFTER INSERT ON \(name) BEGIN \(insertion()) END",
      "CREATE TRIGGER __\(index)_ad AFTER DELETE ON \(name) BEGIN \(deletion()) END",
      """
      CREATE TRIGGER __\(index)_au AFTER UPDATE ON \(name) BEGIN
        \(deletion()) \(insertion())
      END
      """,
    ]
  }

  private static let syllables = [
    "ba", "ce", "di", "fo", "gu", "la", "me", "ni", "ro", "su", "ta", "vo",
  ]

  /// One of 20,736 words of four syllables, the first ones more often.
  private static func word(_ random: inout SplitMix) -> String {
    var number = random.below(1 + random.below(20_736))
    var word = ""
    for _ in 0..<4 {
      word += syllables[number % syllables.count]
      number /= syllables.count
    }
    return word
  }

  private static func text(_ count: Int, _ random: inout SplitMix) -> String {
    (0..<count).map { _ in word(&random) }.joined(separator: " ")
  }

  public static let articles: [ArticleFacts] = {
    var random = SplitMix(seed: 8)
    return (1...articleCount).map { number in
      ArticleFacts(
        id: Int64(number), title: text(4, &random), body: text(20, &random))
    }
  }()

  /// Two words each, which stand in one text at least.
  public static let searches: [String] = {
    var random = SplitMix(seed: 9)
    return (0..<searchCount).map { _ in
      let words = articles[random.below(articleCount)].body.split(separator: " ")
      return "\(words[random.below(words.count)]) \(words[random.below(words.count)])"
    }
  }()
}

/// A row of `article` or of `newArticle`.
public struct ArticleFacts: ArticleValues, Sendable {
  public let id: Int64
  public let title: String
  public let body: String
}

public protocol ArticleValues: RowValues {
  var id: Int64 { get }
  var title: String { get }
  var body: String { get }
}

extension ArticleValues {
  public func add(to checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(title)
    checksum.add(body)
  }
}

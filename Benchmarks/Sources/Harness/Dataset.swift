/// The data of the benchmark: the same on every machine and in every run.
public enum Dataset {
  public static let playerCount = 200_000
  public static let authorCount = 2_000
  public static let bookCount = 20_000
  public static let publisherCount = 100
  public static let lookupCount = 20_000
  public static let preparationCount = 2_000
  public static let insertCount = 50_000
  public static let memberCount = 2_000
  public static let loanCount = 200_000
  public static let recentLoanCount = 20_000
  public static let articleCount = 100_000
  public static let searchCount = 10_000

  /// Every connection runs them: the disk is not what is measured.
  public static let pragmas = [
    "PRAGMA journal_mode = MEMORY",
    "PRAGMA synchronous = OFF",
    "PRAGMA cache_size = -131072",
  ]

  public static let schema = [
    playerTable("player"),
    "CREATE UNIQUE INDEX player_on_email ON player(email)",
    playerTable("newcomer"),
    "CREATE TABLE publisher(id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    """
    CREATE TABLE author(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL,
      birthYear INTEGER NOT NULL)
    """,
    """
    CREATE TABLE book(
      id INTEGER PRIMARY KEY, title TEXT NOT NULL,
      authorId INTEGER NOT NULL REFERENCES author(id),
      publisherId INTEGER REFERENCES publisher(id), year INTEGER NOT NULL)
    """,
    "CREATE INDEX book_on_authorId ON book(authorId)",
    "CREATE INDEX book_on_publisherId ON book(publisherId)",
    "CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    loanTable("loan", memberId: "INTEGER NOT NULL"),
    loanTable("recentLoan", memberId: "INTEGER NOT NULL REFERENCES member(id)"),
    "CREATE INDEX recentLoan_on_memberId ON recentLoan(memberId)",
    // Without a foreign key: the toolkits enforce them, and the work by hand doesn't.
    loanTable("newLoan", memberId: "INTEGER NOT NULL"),
  ]

  static func loanTable(_ name: String, memberId: String) -> String {
    """
    CREATE TABLE \(name)(
      id INTEGER PRIMARY KEY, memberId \(memberId),
      shelf TEXT NOT NULL, days INTEGER NOT NULL)
    """
  }

  private static func playerTable(_ name: String) -> String {
    """
    CREATE TABLE \(name)(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, team TEXT NOT NULL,
      score INTEGER NOT NULL, rating DOUBLE NOT NULL, email TEXT)
    """
  }
}

/// A row of `player` or of `newcomer`.
public struct PlayerFacts: PlayerValues, Sendable {
  public let id: Int64
  public let name: String
  public let team: String
  public let score: Int
  public let rating: Double
  public let email: String?
}

/// A row of `author`.
public struct AuthorFacts: AuthorValues, Sendable {
  public let id: Int64
  public let name: String
  public let country: String
  public let birthYear: Int
}

/// A row of `book`.
public struct BookFacts: BookValues, Sendable {
  public let id: Int64
  public let title: String
  public let authorId: Int64
  public let publisherId: Int64?
  public let year: Int
}

/// A row of `member`.
public struct MemberFacts: MemberValues, Sendable {
  public let id: Int64
  public let name: String
}

/// A row of `loan`, `recentLoan`, or `newLoan`.
public struct LoanFacts: LoanValues, Sendable {
  public let id: Int64
  public let memberId: Int64
  public let shelf: String
  public let days: Int
}

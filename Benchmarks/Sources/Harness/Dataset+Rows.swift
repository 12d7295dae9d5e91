extension Dataset {
  private static let teams = [
    "Reds", "Blues", "Greens", "City", "United", "Rovers", "Wanderers", "Athletic Union",
    "Northern Harbour Rowers", "Old Mill Street Runners", "Lakeside Cycling Society", "Hill",
  ]
  private static let countries = ["Iceland", "Chile", "Kenya", "Norway", "Japan", "New Zealand"]

  public static func players(count: Int = playerCount) -> [PlayerFacts] {
    var random = SplitMix(seed: 1)
    return (1...count).map { number in
      PlayerFacts(
        id: Int64(number),
        name: "Player \(number)",
        team: teams[random.below(teams.count)],
        score: random.below(100_000),
        rating: Double(random.below(10_000)) / 100,
        email: email(of: number))
    }
  }

  /// Every fifth player has none.
  private static func email(of number: Int) -> String? {
    number.isMultiple(of: 5) ? nil : "player\(number)@example.com"
  }

  public static func authors() -> [AuthorFacts] {
    var random = SplitMix(seed: 2)
    return (1...authorCount).map { number in
      AuthorFacts(
        id: Int64(number),
        name: "Author of \(random.below(100)) works, \(number)",
        country: countries[random.below(countries.count)],
        birthYear: 1800 + random.below(200))
    }
  }

  public static func books() -> [BookFacts] {
    var random = SplitMix(seed: 3)
    return (1...bookCount).map { number in
      BookFacts(
        id: Int64(number),
        title: "The long title of book \(number)",
        authorId: Int64(1 + random.below(authorCount)),
        publisherId: random.below(4) == 0 ? nil : Int64(1 + random.below(publisherCount)),
        year: 1850 + random.below(170))
    }
  }

  public static func publishers() -> [String] {
    (1...publisherCount).map { "Publisher \($0)" }
  }

  /// The players that the line `key` asks for.
  public static let keys: [Int64] = {
    var random = SplitMix(seed: 4)
    return (0..<lookupCount).map { _ in Int64(1 + random.below(playerCount)) }
  }()

  /// The players that the line `filter` asks for: each exists.
  public static let emails: [String] = {
    var random = SplitMix(seed: 5)
    return (0..<lookupCount).map { _ in
      "player\(1 + random.below(4) + 5 * random.below(playerCount / 5))@example.com"
    }
  }()

  public static func members() -> [MemberFacts] {
    (1...memberCount).map { MemberFacts(id: Int64($0), name: "M\($0)") }
  }

  public static func loans(count: Int) -> [LoanFacts] {
    var random = SplitMix(seed: 6)
    return (1...count).map { number in
      LoanFacts(
        id: Int64(number),
        memberId: Int64(1 + random.below(memberCount)),
        shelf: "S\(random.below(1_000))",
        days: random.below(30))
    }
  }

  /// The members that the lines `narrow-key` and `narrow-filter` ask for: by key, and by name.
  public static let memberKeys: [Int64] = {
    var random = SplitMix(seed: 7)
    return (0..<lookupCount).map { _ in Int64(1 + random.below(memberCount)) }
  }()

  public static let memberNames = memberKeys.map { "M\($0)" }

  /// What the narrow insert lines insert.
  public static let newLoans = loans(count: insertCount)

  /// What the insert lines insert.
  public static let newcomers = players(count: insertCount)
}

/// The generator of Steele, Lea and Flood: https://doi.org/10.1145/2660193.2660195
struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    bits ^= bits >> 31
    return Int(bits % UInt64(bound))
  }
}

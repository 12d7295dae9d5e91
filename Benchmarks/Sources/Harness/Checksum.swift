/// FNV-1a over values: tells whether contenders read and wrote the same data in the same order.
public struct Checksum {
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  public mutating func add(_ integer: Int64) {
    add(bits: UInt64(bitPattern: integer))
  }

  public mutating func add(_ integer: Int) {
    add(Int64(integer))
  }

  public mutating func add(_ double: Double) {
    add(bits: double.bitPattern)
  }

  public mutating func add(_ string: String?) {
    guard let string else {
      add(-1)
      return
    }
    add(string.utf8.count)
    for byte in string.utf8 {
      add(bits: UInt64(byte))
    }
  }

  private mutating func add(bits: UInt64) {
    value = (value ^ bits) &* 0x100_0000_01b3
  }
}

extension Checksum {
  /// The checksum of what `body` adds for each element.
  public static func of<Elements: Sequence>(
    _ elements: Elements, _ body: (inout Checksum, Elements.Element) throws -> Void
  ) rethrows -> UInt64 {
    var checksum = Checksum()
    for element in elements {
      try body(&checksum, element)
    }
    return checksum.value
  }

  public static func of(_ players: some Sequence<some PlayerValues>) -> UInt64 {
    of(players) { $0.add($1) }
  }

  public mutating func add(_ player: some PlayerValues) {
    add(player.id)
    add(player.name)
    add(player.team)
    add(player.score)
    add(player.rating)
    add(player.email)
  }

  public mutating func add(_ book: some BookValues) {
    add(book.id)
    add(book.title)
    add(book.authorId)
    add(book.publisherId ?? -1)
    add(book.year)
  }

  public mutating func add(_ author: some AuthorValues) {
    add(author.id)
    add(author.name)
    add(author.country)
    add(author.birthYear)
  }
}

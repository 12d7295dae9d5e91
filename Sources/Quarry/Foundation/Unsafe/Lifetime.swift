import CSQLite

/// Whether an object still exists that others point to without owning it.
///
/// A lifetime is a number in a cell of memory: it is over when the cell has another number.
///
/// *Assumption*: a cell is never freed, but serves later lifetimes: so any thread may ask at any
/// time. One thread ends a lifetime. Its number does not come again: that takes more lifetimes than
/// a program can begin.
/// *Check*: `CoderLifetimeTests`, also with threads that ask while others end theirs;
/// `EscapedDecoderTests`, `EscapedEncoderTests`.
/// *Gain*: containers refer to their table without owning it, and the standard library copies a
/// container for each value. Not measured alone.
@safe struct Lifetime: @unchecked Sendable {
  private let cell: UnsafeMutablePointer<UInt>
  private let number: UInt

  private static let idleCells = Locked<[Lifetime]>([])

  /// A lifetime that lasts until `end` is called.
  static func begin() -> Lifetime {
    if let idle = idleCells.withLock({ $0.popLast() }) {
      return unsafe Lifetime(cell: idle.cell, number: quarry_atomic_load(idle.cell))
    }
    let cell = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    unsafe cell.initialize(to: 0)
    return unsafe Lifetime(cell: cell, number: 0)
  }

  func end() {
    unsafe quarry_atomic_store(cell, number &+ 1)
    Self.idleCells.withLock { $0.append(self) }
  }

  @inline(__always) var isOver: Bool { unsafe quarry_atomic_load(cell) != number }
}

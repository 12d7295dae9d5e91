/// Whether an object still exists that others point to without owning it.
///
/// Owning is slow where a pointer is copied all the time. A lifetime is a number in a cell of
/// memory: it is over when the cell has another number. Cells are never freed, but serve later
/// lifetimes: so asking is always safe.
@safe struct Lifetime: @unchecked Sendable {
  private let cell: UnsafeMutablePointer<UInt>
  private let number: UInt

  private static let idleCells = Locked<[Lifetime]>([])

  /// A lifetime that lasts until `end` is called.
  static func begin() -> Lifetime {
    if let idle = idleCells.withLock({ $0.popLast() }) {
      return unsafe Lifetime(cell: idle.cell, number: idle.cell.pointee)
    }
    let cell = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    unsafe cell.initialize(to: 0)
    return unsafe Lifetime(cell: cell, number: 0)
  }

  func end() {
    unsafe cell.pointee &+= 1
    Self.idleCells.withLock { $0.append(self) }
  }

  @inline(__always) var isOver: Bool { unsafe cell.pointee != number }
}

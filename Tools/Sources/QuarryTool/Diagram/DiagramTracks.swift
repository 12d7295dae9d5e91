/// The order of the vertical lines in a channel, with few crossings.
struct DiagramTracks {
  /// The tracks of nets, from 0 on the left. Nets whose lines are straight have none.
  private(set) var levels: [Int: Int] = [:]

  private let wires: [DiagramPins.Wire]
  /// `costs[a][b]`: how often the lines of a and b cross, if a is to the left of b.
  private let costs: [[Int]]

  init(_ all: [DiagramPins.Wire]) {
    let wires = all.filter { $0.top < $0.bottom }
    self.wires = wires
    costs = wires.map { a in wires.map { b in Self.crossings(a, b) } }
    assignLevels(order())
  }

  private static func crossings(_ a: DiagramPins.Wire, _ b: DiagramPins.Wire) -> Int {
    a.right.count { (b.top...b.bottom).contains($0) }
      + b.left.count { (a.top...a.bottom).contains($0) }
  }

  /// Moves each wire to its best place among the others, until that changes nothing.
  private func order() -> [Int] {
    var order = Array(wires.indices)
    for _ in 0..<4 {
      let before = order
      for wire in wires.indices {
        order.removeAll { $0 == wire }
        // To the left of all others, then past one after the other.
        var cost = 0
        var best = (cost: 0, place: 0)
        for (place, other) in order.enumerated() {
          cost += costs[other][wire] - costs[wire][other]
          if cost < best.cost { best = (cost, place + 1) }
        }
        order.insert(wire, at: best.place)
      }
      if order == before { break }
    }
    return order
  }

  /// Wires that are above or below each other may have the same track.
  private mutating func assignLevels(_ order: [Int]) {
    var placed: [(wire: DiagramPins.Wire, level: Int)] = []
    for index in order {
      let wire = wires[index]
      let neighbors = placed.filter {
        $0.wire.top - 8 < wire.bottom && wire.top < $0.wire.bottom + 8
      }
      let level = (neighbors.map(\.level).max() ?? -1) + 1
      levels[wire.net] = level
      placed.append((wire, level))
    }
  }
}

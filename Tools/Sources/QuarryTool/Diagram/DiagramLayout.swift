/// The places of boxes, and of the lanes between them, in units of pixels. All tops are multiples
/// of `grid`.
struct DiagramLayout {
  static let grid = 3
  static let rowHeight = 18
  static let headerHeight = 24
  static let laneHeight = 12
  static let gap = 24

  struct Lane: Hashable {
    var net: Int
    var column: Int
  }

  let nets: [DiagramNet]
  /// The tables, then the lanes.
  private var items: [Item]
  private var lanes: [Lane: Int] = [:]
  /// The items of each column, from top to bottom.
  private var columns: [[Int]]
  /// The parts of lines in each channel.
  private var joints: [[Joint]]

  private struct Item {
    var height: Int
    var top = 0
    var isLane = false
  }

  private struct End {
    var item: Int
    var offset: Int
  }

  /// Two ends that should have the same height, of which one is to the left of a channel, the other
  /// to the right.
  private struct Joint {
    var left: End
    var right: End
  }

  private struct Wish {
    var item: Int
    var top: Double
    var middle: Int
    var weight: Double
  }

  /// - parameter rowCounts: the number of columns of each table.
  /// - parameter tables: the tables in each column of the diagram.
  init(rowCounts: [Int], tables: [[Int]], nets: [DiagramNet]) {
    self.nets = nets
    items = rowCounts.map { Item(height: Self.height(rowCount: $0)) }
    columns = tables
    joints = Array(repeating: [], count: tables.count)
    addLanes()
    addJoints()
  }

  static func height(rowCount: Int) -> Int { headerHeight + 6 + rowCount * rowHeight }

  func top(ofTable table: Int) -> Int { items[table].top }
  func bottom(ofTable table: Int) -> Int { items[table].top + items[table].height }
  func y(of port: DiagramPort) -> Int { items[port.table].top + Self.offset(ofRow: port.row) }
  func y(of lane: Lane) -> Int { lanes[lane].map { items[$0].top + Self.laneHeight / 2 } ?? 0 }

  /// The middle of a row in its box.
  private static func offset(ofRow row: Int) -> Int {
    row == 0 ? headerHeight / 2 : headerHeight + 3 + rowHeight / 2 + (row - 1) * rowHeight
  }

  private mutating func addLanes() {
    for (net, path) in nets.enumerated() {
      for column in path.lanes {
        lanes[Lane(net: net, column: column)] = items.count
        columns[column].append(items.count)
        items.append(Item(height: Self.laneHeight, isLane: true))
      }
    }
  }

  private mutating func addJoints() {
    for (net, path) in nets.enumerated() {
      for target in path.targets where target.column != path.column {
        var last = End(item: path.source.table, offset: Self.offset(ofRow: path.source.row))
        for channel in path.channels(to: target.column) {
          let next = path.source.side == .right ? channel + 1 : channel
          let lane = lanes[Lane(net: net, column: next)].flatMap {
            next == target.column ? nil : $0
          }
          let end =
            lane.map { End(item: $0, offset: Self.laneHeight / 2) }
            ?? End(item: target.port.table, offset: Self.offset(ofRow: target.port.row))
          joints[channel].append(
            path.source.side == .right
              ? Joint(left: last, right: end) : Joint(left: end, right: last))
          last = end
        }
      }
    }
  }
}

// Places.
extension DiagramLayout {
  /// Arranges the columns by those to their left, then by those to their right, a few times, and
  /// keeps the best result.
  ///
  /// - parameter linkedCount: how many columns have lines.
  mutating func arrange(linkedCount: Int) {
    for column in columns.indices { stack(column) }
    var best = (cost: cost(), items: items, columns: columns)
    for round in 0..<24 {
      let isForward = round.isMultiple(of: 2)
      for column in isForward ? Array(0..<linkedCount) : (0..<linkedCount).reversed() {
        // The last rounds look at both sides.
        arrange(column, left: isForward || round > 12, right: !isForward || round > 12)
      }
      let cost = cost()
      if cost < best.cost { best = (cost, items, columns) }
    }
    (items, columns) = (best.items, best.columns)
    let first = columns.prefix(linkedCount).joined().map { items[$0].top }.min() ?? 0
    for item in columns.prefix(linkedCount).joined() { items[item].top -= first }
  }

  private mutating func stack(_ column: Int) {
    var top = 0
    for (item, next) in zip(columns[column], columns[column].dropFirst() + [0]) {
      items[item].top = top
      top += distance(item, next)
    }
  }

  /// Between the tops of two items, of which one follows the other.
  private func distance(_ upper: Int, _ lower: Int) -> Int {
    let gap =
      switch (items[upper].isLane, items[lower].isLane) {
      case (false, false): Self.gap
      case (true, true): Self.grid
      default: 3 * Self.grid
      }
    return items[upper].height + gap
  }

  /// The sum of the differences in height, and a penalty for each crossing.
  private func cost() -> Int {
    joints.reduce(0) { sum, joints in
      let ends = joints.map { (y($0.left), y($0.right)) }
      var cost = sum
      for (index, end) in ends.enumerated() {
        cost += abs(end.0 - end.1)
        // Beyond some hundreds of lines, lengths have to do.
        guard ends.count < 500 else { continue }
        for other in ends[..<index] where (end.0 - other.0) * (end.1 - other.1) < 0 { cost += 40 }
      }
      return cost
    }
  }

  private func y(_ end: End) -> Int { items[end.item].top + end.offset }

  /// Moves the items of a column to the height of the ends of their lines, as far as there is room.
  private mutating func arrange(_ column: Int, left: Bool, right: Bool) {
    var wishes: [Int: [Int]] = [:]
    if left, column > 0 {
      for joint in joints[column - 1] {
        wishes[joint.right.item, default: []].append(y(joint.left) - joint.right.offset)
      }
    }
    if right {
      for joint in joints[column] {
        wishes[joint.left.item, default: []].append(y(joint.right) - joint.left.offset)
      }
    }
    var stack = columns[column].map { item in
      let tops = wishes[item] ?? []
      // Where no line leads, the place is as good as another.
      let top = tops.isEmpty ? items[item].top : tops.reduce(0, +) / tops.count
      return Wish(
        item: item, top: Double(top), middle: top + items[item].height / 2,
        weight: tops.isEmpty ? 0.1 : Double(tops.count))
    }
    stack.sort { ($0.middle, $0.item) < ($1.middle, $1.item) }
    columns[column] = stack.map(\.item)
    place(stack)
  }

  /// The tops with the least squares of distances from those that are wished for: items that would
  /// overlap join blocks, which stand at the mean of their wishes.
  private mutating func place(_ stack: [Wish]) {
    var blocks: [(sum: Double, weight: Double, count: Int)] = []
    var offsets: [Int] = []
    for entry in stack {
      let offset =
        offsets.last.map { $0 + distance(stack[offsets.count - 1].item, entry.item) } ?? 0
      offsets.append(offset)
      blocks.append((entry.weight * (entry.top - Double(offset)), entry.weight, 1))
      while blocks.count > 1 {
        let (upper, lower) = (blocks[blocks.count - 2], blocks[blocks.count - 1])
        guard upper.sum / upper.weight > lower.sum / lower.weight else { break }
        blocks.removeLast(2)
        blocks.append(
          (upper.sum + lower.sum, upper.weight + lower.weight, upper.count + lower.count))
      }
    }
    var index = 0
    for block in blocks {
      // The same rounding for a whole block keeps its distances, and that of later blocks is not
      // smaller.
      let start = Int((block.sum / block.weight / Double(Self.grid)).rounded()) * Self.grid
      for _ in 0..<block.count {
        items[stack[index].item].top = start + offsets[index]
        index += 1
      }
    }
  }
}

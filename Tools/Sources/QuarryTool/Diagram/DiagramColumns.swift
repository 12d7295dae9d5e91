/// The columns of boxes of a diagram: tables to the left of those that refer to them, as far as
/// there are no cycles.
struct DiagramColumns {
  /// The tables of each column. Those without any link stand alone, in the last columns.
  private(set) var columns: [[Int]] = []
  /// How many columns have tables with links.
  private(set) var linkedCount = 0

  private let heights: [Int]
  private let limit: Int
  private var parents: [[Int]]
  private var children: [[Int]]
  private var ranks: [Int]
  private var states: [State]

  private enum State {
    case waiting, open, done
  }

  /// - parameter heights: the heights of the boxes, with the gaps below them.
  /// - parameter limit: the height that columns should not pass.
  init(heights: [Int], links: [Diagram.Link], limit: Int) {
    self.heights = heights
    self.limit = limit
    parents = Array(repeating: [], count: heights.count)
    children = parents
    ranks = Array(repeating: 0, count: heights.count)
    states = Array(repeating: .waiting, count: heights.count)
    for link in links where link.child != link.parent {
      parents[link.child].append(link.parent)
      children[link.parent].append(link.child)
    }
    for table in heights.indices where states[table] == .waiting { rank(table) }
    let sorted = heights.indices.sorted { (ranks[$0], $0) > (ranks[$1], $1) }
    for table in sorted { moveToChildren(table) }
    let linked = Set(links.flatMap { [$0.child, $0.parent] })
    placeLinked(heights.indices.filter(linked.contains))
    placeOthers(heights.indices.filter { !linked.contains($0) })
  }

  /// The rank of a table is the length of the longest way to a table that refers to no other.
  private mutating func rank(_ table: Int) {
    states[table] = .open
    for parent in parents[table] {
      if states[parent] == .waiting { rank(parent) }
      // An open table closes a cycle: its line goes backward.
      if states[parent] == .done { ranks[table] = max(ranks[table], ranks[parent] + 1) }
    }
    states[table] = .done
  }

  /// Moves a table with more children than parents next to the first child.
  private mutating func moveToChildren(_ table: Int) {
    let right = children[table].filter { ranks[$0] > ranks[table] }
    guard right.count > parents[table].count, let nearest = right.map({ ranks[$0] }).min() else {
      return
    }
    ranks[table] = nearest - 1
  }

  private mutating func placeLinked(_ tables: [Int]) {
    var ranked = Dictionary(grouping: tables) { ranks[$0] }
    var rank = 0
    while !ranked.isEmpty {
      if var column = ranked.removeValue(forKey: rank) {
        // Tables that no other refers to may stand further to the right.
        while height(column) > limit, column.count > 1,
          let leaf = column.lastIndex(where: { children[$0].isEmpty })
        {
          ranked[rank + 1, default: []].insert(column.remove(at: leaf), at: 0)
        }
        columns.append(column)
      }
      rank += 1
    }
    linkedCount = columns.count
  }

  private mutating func placeOthers(_ tables: [Int]) {
    var column: [Int] = []
    let limit = max(limit, columns.map(height).max() ?? 0)
    for table in tables {
      if !column.isEmpty, height(column + [table]) > limit {
        columns.append(column)
        column = []
      }
      column.append(table)
    }
    if !column.isEmpty { columns.append(column) }
  }

  private func height(_ column: [Int]) -> Int { column.reduce(0) { $0 + heights[$1] } }
}

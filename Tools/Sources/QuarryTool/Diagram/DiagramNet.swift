/// The side of a column or a box.
enum DiagramSide {
  case left, right
}

/// A place where lines begin or end: a column of a table, row 0 for its name.
struct DiagramPort: Hashable {
  var table: Int
  var row: Int
  var side: DiagramSide
}

/// The lines between a key of a parent and the foreign keys that refer to it. They share their way
/// as far as it is the same: from the source through channels, which are the spaces to the right of
/// columns, and on lanes, which cross columns between their boxes.
struct DiagramNet {
  struct Target {
    var link: Int
    var port: DiagramPort
    /// The column of the child.
    var column: Int
  }

  var source: DiagramPort
  /// The column of the parent.
  var column: Int
  private(set) var targets: [Target] = []

  init(source: DiagramPort, column: Int) {
    self.source = source
    self.column = column
  }

  mutating func add(_ target: Target) { targets.append(target) }

  /// The channels on the way to a column, in the order of the line. A channel has the number of the
  /// column on its left.
  func channels(to end: Int) -> [Int] {
    switch source.side {
    case .right: Array(column...max(column, end - 1))
    case .left: Array((end..<column).reversed())
    }
  }

  /// The columns that the lines cross.
  var lanes: [Int] {
    let ends = targets.map(\.column) + [column]
    let first = ends.min() ?? column
    return (ends.max() ?? column) - first < 2 ? [] : Array(first + 1..<(ends.max() ?? column))
  }
}

extension Diagram {
  /// The nets of all links. Lines leave a parent on the right, but on the left for children that
  /// stand there in a cycle.
  ///
  /// - parameter columns: the column of each table.
  func nets(_ columns: [Int]) -> [DiagramNet] {
    var nets: [DiagramNet] = []
    var positions: [DiagramPort: Int] = [:]
    for (index, link) in links.enumerated() {
      let (start, end) = (columns[link.parent], columns[link.child])
      let source = DiagramPort(
        table: link.parent, row: row(of: link.key.tableColumns.first, in: link.parent),
        side: end < start ? .left : .right)
      let target = DiagramPort(
        table: link.child, row: row(of: link.key.columns.first, in: link.child),
        side: end > start ? .left : .right)
      let position = positions[source] ?? nets.count
      if position == nets.count { nets.append(DiagramNet(source: source, column: start)) }
      positions[source] = position
      nets[position].add(DiagramNet.Target(link: index, port: target, column: end))
    }
    return nets
  }

  private func row(of column: String?, in table: Int) -> Int {
    let columns = tables[table].columns
    return columns.firstIndex { column?.isSameName(as: $0.name) == true }.map { $0 + 1 } ?? 0
  }
}

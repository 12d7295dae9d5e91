/// The lines of a diagram: horizontal in columns, where they take lanes, and vertical in the
/// channels between columns, where each net has a track. So no line crosses a box.
struct DiagramRouter {
  struct Point: Hashable {
    var x: Int
    var y: Int
  }

  /// The left sides of the columns of boxes.
  private(set) var lefts: [Int] = []
  /// The right end of the last channel.
  private(set) var right = 0

  private let layout: DiagramLayout
  private let widths: [Int]
  private let pins: DiagramPins
  /// By channel and net.
  private var tracks: [[Int: Int]] = []

  private static let trackGap = 10
  /// The room for the marks at the ends of lines.
  private static let markRoom = 24

  /// - parameter widths: the widths of the columns.
  init(_ layout: DiagramLayout, widths: [Int], margin: Int) {
    self.layout = layout
    self.widths = widths
    pins = DiagramPins(layout, channelCount: widths.count)
    var x = margin
    for (channel, width) in widths.enumerated() {
      lefts.append(x)
      x += width
      let levels = DiagramTracks(pins.wires(inChannel: channel)).levels
      let count = (levels.values.max() ?? -1) + 1
      let isUsed = !pins.wires(inChannel: channel).isEmpty
      let space = isUsed ? max(60, 2 * Self.markRoom + (count - 1) * Self.trackGap) : 40
      let start = x + (space - (count - 1) * Self.trackGap) / 2
      tracks.append(levels.mapValues { start + $0 * Self.trackGap })
      right = isUsed ? x + space : x
      x += space
    }
  }

  /// The corners of the line of each link, from the key of the parent to the foreign key.
  func lines(linkCount: Int) -> [[Point]] {
    var lines = Array(repeating: [Point](), count: linkCount)
    for (index, net) in layout.nets.enumerated() {
      for target in net.targets { lines[target.link] = line(index, net, target) }
    }
    return lines
  }

  private func line(_ index: Int, _ net: DiagramNet, _ target: DiagramNet.Target) -> [Point] {
    var y = pins.y(.source(index))
    var points = [Point(x: x(of: net.source, in: net.column), y: y)]
    for channel in net.channels(to: target.column) {
      let next = net.source.side == .right ? channel + 1 : channel
      let isLast = channel == net.channels(to: target.column).last
      let end = pins.y(isLast ? .target(index, target.port) : .lane(index, next))
      if end != y, let x = tracks[channel][index] {
        points += [Point(x: x, y: y), Point(x: x, y: end)]
      }
      y = end
    }
    return points + [Point(x: x(of: target.port, in: target.column), y: y)]
  }

  private func x(of port: DiagramPort, in column: Int) -> Int {
    port.side == .left ? lefts[column] : lefts[column] + widths[column]
  }
}

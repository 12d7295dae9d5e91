/// The heights at which lines enter channels: of the row that they belong to, or a little above or
/// below it where another line has that height.
struct DiagramPins {
  enum Pin: Hashable {
    case source(Int)
    /// The lane of a net in a column.
    case lane(Int, Int)
    case target(Int, DiagramPort)
  }

  /// A net in a channel.
  struct Wire {
    var net: Int
    var left: [Int] = []
    var right: [Int] = []

    var all: [Int] { left + right }
    var top: Int { all.min() ?? 0 }
    var bottom: Int { all.max() ?? 0 }
  }

  private struct Place {
    var pin: Pin
    var side: DiagramSide
  }

  private struct Entry {
    var net: Int
    var pin: Pin
    var y: Int
    var port: DiagramPort?
  }

  private var heights: [Pin: Int] = [:]
  /// The pins of each net in each channel.
  private var channels: [[Int: [Place]]] = []

  private static let offsets = [0, 1, -1, 2, -2].map { $0 * DiagramLayout.grid }

  init(_ layout: DiagramLayout, channelCount: Int) {
    channels = Array(repeating: [:], count: channelCount)
    for (index, net) in layout.nets.enumerated() { add(net, index) }
    for channel in channels.indices { place(channel, layout) }
  }

  func y(_ pin: Pin) -> Int { heights[pin] ?? 0 }

  func wires(inChannel channel: Int) -> [Wire] {
    channels[channel].sorted { $0.key < $1.key }.map { net, places in
      Wire(
        net: net, left: places.filter { $0.side == .left }.map { y($0.pin) },
        right: places.filter { $0.side == .right }.map { y($0.pin) })
    }
  }

  private mutating func add(_ net: DiagramNet, _ index: Int) {
    let isForward = net.source.side == .right
    add(
      .source(index), to: isForward ? net.column : net.column - 1, isForward ? .left : .right, index
    )
    for column in net.lanes {
      add(.lane(index, column), to: column - 1, .right, index)
      add(.lane(index, column), to: column, .left, index)
    }
    for port in Set(net.targets.map(\.port)) {
      guard let target = net.targets.first(where: { $0.port == port }) else { continue }
      let channel = port.side == .left ? target.column - 1 : target.column
      add(.target(index, port), to: channel, port.side == .left ? .right : .left, index)
    }
  }

  private mutating func add(_ pin: Pin, to channel: Int, _ side: DiagramSide, _ net: Int) {
    channels[channel][net, default: []].append(Place(pin: pin, side: side))
  }

  /// Sources first, which are in the middle of their rows, then lanes, and targets, from top to
  /// bottom.
  private mutating func place(_ channel: Int, _ layout: DiagramLayout) {
    let entries = channels[channel].flatMap { net, places in
      places.map { place in
        Entry(
          net: net, pin: place.pin, y: Self.y(place.pin, layout), port: Self.port(place.pin, layout)
        )
      }
    }
    let sorted = entries.sorted { ($0.pin.order, $0.y, $0.net) < ($1.pin.order, $1.y, $1.net) }
    for entry in sorted where heights[entry.pin] == nil {
      let placed = sorted.filter { $0.pin != entry.pin && heights[$0.pin] != nil }
      let taken = placed.filter { $0.net != entry.net || $0.port != nil && $0.port == entry.port }
        .map { y($0.pin) }
      // A line that is almost straight becomes straight.
      let straight = placed.map { y($0.pin) }.filter { abs($0 - entry.y) <= 2 * DiagramLayout.grid }
      let candidates = straight + Self.offsets.map { entry.y + $0 }
      heights[entry.pin] =
        candidates.first { y in taken.allSatisfy { abs($0 - y) >= DiagramLayout.grid } } ?? entry.y
    }
  }

  private static func port(_ pin: Pin, _ layout: DiagramLayout) -> DiagramPort? {
    switch pin {
    case .source(let net): layout.nets[net].source
    case .lane: nil
    case .target(_, let port): port
    }
  }

  private static func y(_ pin: Pin, _ layout: DiagramLayout) -> Int {
    switch pin {
    case .source(let net): layout.y(of: layout.nets[net].source)
    case .lane(let net, let column):
      layout.y(of: DiagramLayout.Lane(net: net, column: column))
    case .target(_, let port): layout.y(of: port)
    }
  }
}

extension DiagramPins.Pin {
  fileprivate var order: Int {
    switch self {
    case .source: 0
    case .lane: 1
    case .target: 2
    }
  }
}

import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What an SVG diagram shows: its boxes, texts and lines.
final class DrawnDiagram: NSObject, XMLParserDelegate {
  struct Point: Equatable {
    var x: Double
    var y: Double
  }

  struct Box {
    var name = ""
    var origin: Point
    var size: Point
    var texts: [(text: String, position: Point)] = []

    var end: Point { Point(x: origin.x + size.x, y: origin.y + size.y) }
  }

  /// A line from the key of a parent to a foreign key: `book(authorId) -> author(id)`.
  struct Line {
    var name = ""
    var corners: [Point]
    var isDashed: Bool

    var parts: [(start: Point, end: Point)] { Array(zip(corners, corners.dropFirst())) }

    /// `author(id`: the table, and the first column of its key.
    var parent: Substring? {
      name.split(separator: " -> ").last.map { $0.prefix { !",)".contains($0) } }
    }
  }

  private(set) var boxes: [Box] = []
  private(set) var lines: [Line] = []
  private(set) var elementCounts: [String: Int] = [:]
  /// The first rectangle, which is the sheet.
  private(set) var sheet: [String: String]?
  private var text = ""
  private var isInBox = false
  private var attributes: [String: String] = [:]

  init(path: String) throws {
    super.init()
    let parser = try XMLParser(data: Data(contentsOf: URL(fileURLWithPath: path)))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes: [String: String] = [:]
  ) {
    elementCounts[elementName, default: 0] += 1
    text = ""
    if elementName != "title" { self.attributes = attributes }
    let number = { (name: String) in Double(attributes[name] ?? "") ?? .nan }
    switch elementName {
    case "g": isInBox = true
    case "rect" where sheet == nil: sheet = attributes
    // The second rectangle of a box is its header.
    case "rect" where boxes.last?.size.x.isNaN == true:
      boxes[boxes.count - 1].origin = Point(x: number("x"), y: number("y"))
      boxes[boxes.count - 1].size = Point(x: number("width"), y: number("height"))
    case "path" where attributes["marker-start"] != nil:
      isInBox = false
      lines.append(
        Line(
          corners: Self.corners(attributes["d"] ?? ""),
          isDashed: attributes["stroke-dasharray"] != nil))
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    switch elementName {
    case "title" where isInBox:
      let unknown = Point(x: .nan, y: .nan)
      boxes.append(Box(name: text, origin: unknown, size: unknown))
    case "title": lines[lines.count - 1].name = text
    case "text":
      let position = Point(
        x: Double(attributes["x"] ?? "") ?? .nan, y: Double(attributes["y"] ?? "") ?? .nan)
      boxes[boxes.count - 1].texts.append((text, position))
    default: break
    }
  }

  /// The points of a path; of a curve at a corner, the corner.
  private static func corners(_ path: String) -> [Point] {
    let numbers = path.split { "MLQ ".contains($0) }.compactMap { Double($0) }
    return stride(from: 0, to: numbers.count - 1, by: 2).map {
      Point(x: numbers[$0], y: numbers[$0 + 1])
    }
  }
}

// What is wrong in a diagram.
extension DrawnDiagram {
  /// Empty for a diagram that can be read.
  var flaws: [String] {
    overlappingBoxes + lines.flatMap { crookedParts($0) + crossedBoxes($0) + wrongEnds($0) }
      + sharedWays
  }

  private var overlappingBoxes: [String] {
    var flaws: [String] = []
    for (index, box) in boxes.enumerated() {
      if box.origin.x < 0 || box.origin.y < 0 { flaws.append("\(box.name) is outside") }
      for other in boxes[..<index]
      where box.origin.x < other.end.x && other.origin.x < box.end.x
        && box.origin.y < other.end.y && other.origin.y < box.end.y
      {
        flaws.append("\(box.name) and \(other.name) overlap")
      }
    }
    return flaws
  }

  private func crookedParts(_ line: Line) -> [String] {
    line.parts.filter { $0.start.x != $0.end.x && $0.start.y != $0.end.y }
      .map { _ in "\(line.name) is neither horizontal nor vertical" }
  }

  /// No line is inside of a box, not even of its own ones.
  private func crossedBoxes(_ line: Line) -> [String] {
    boxes.filter { box in
      line.parts.contains { start, end in
        min(start.x, end.x) < box.end.x && max(start.x, end.x) > box.origin.x
          && min(start.y, end.y) < box.end.y && max(start.y, end.y) > box.origin.y
      }
    }
    .map { "\(line.name) crosses \($0.name)" }
  }

  /// A line begins at the key of the parent, and ends at the foreign key: at the first column.
  private func wrongEnds(_ line: Line) -> [String] {
    let pairs = line.name.split(separator: " -> ").map { half in
      half.split { "(), ".contains($0) }.map(String.init)
    }
    guard pairs.count == 2, let first = line.corners.first, let last = line.corners.last else {
      return ["\(line.name) has no ends"]
    }
    let isRight = isAt(first, pairs[1]) && isAt(last, pairs[0])
    return isRight ? [] : ["\(line.name) begins or ends elsewhere"]
  }

  private func isAt(_ point: Point, _ names: [String]) -> Bool {
    guard let box = boxes.first(where: { $0.name == names[0] }) else { return false }
    // Without a column, the line leads to the name of the table. Baselines are below the middle.
    let row = box.texts.first { $0.text == (names.count > 1 ? names[1] : names[0]) }
    guard let row, abs(row.position.y - 4 - point.y) <= 9 else { return false }
    return point.x == box.origin.x || point.x == box.end.x
  }

  /// Lines to different keys may cross, and don't lie upon each other.
  private var sharedWays: [String] {
    var flaws: [String] = []
    for (index, line) in lines.enumerated() {
      for other in lines[..<index] where other.parent != line.parent {
        for part in line.parts where other.parts.contains(where: { Self.overlap(part, $0) }) {
          flaws.append("\(line.name) lies upon \(other.name) at \(part)")
        }
      }
    }
    return flaws
  }

  private static func overlap(_ a: (start: Point, end: Point), _ b: (start: Point, end: Point))
    -> Bool
  {
    let overlap = { (a1: Double, a2: Double, b1: Double, b2: Double) in
      min(max(a1, a2), max(b1, b2)) - max(min(a1, a2), min(b1, b2)) > 0
    }
    if a.start.y == a.end.y, b.start.y == b.end.y, a.start.y == b.start.y {
      return overlap(a.start.x, a.end.x, b.start.x, b.end.x)
    }
    if a.start.x == a.end.x, b.start.x == b.end.x, a.start.x == b.start.x {
      return overlap(a.start.y, a.end.y, b.start.y, b.end.y)
    }
    return false
  }
}

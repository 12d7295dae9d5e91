/// A diagram as SVG: tables that others refer to on the left, those that refer to them further to
/// the right.
struct SVGDiagram {
  private let diagram: Diagram
  private let columns: [[Int]]
  private let layout: DiagramLayout
  private let router: DiagramRouter
  /// The widths of the columns.
  private let widths: [Int]

  private static let margin = 20

  init(_ diagram: Diagram) {
    self.diagram = diagram
    let shapes = diagram.tables.map(Shape.init)
    let heights = diagram.tables.map {
      DiagramLayout.height(rowCount: $0.columns.count) + DiagramLayout.gap
    }
    let sorted = DiagramColumns(
      heights: heights, links: diagram.links, limit: Self.limit(heights, shapes))
    columns = sorted.columns
    var numbers = Array(repeating: 0, count: shapes.count)
    for (number, column) in columns.enumerated() { column.forEach { numbers[$0] = number } }
    var layout = DiagramLayout(
      rowCounts: diagram.tables.map(\.columns.count), tables: columns,
      nets: diagram.nets(numbers))
    layout.arrange(linkedCount: sorted.linkedCount)
    self.layout = layout
    widths = columns.map { column in column.map { shapes[$0].width }.max() ?? 0 }
    router = DiagramRouter(layout, widths: widths, margin: Self.margin)
  }

  /// The height that makes the diagram about as high as it is wide, if its tables have few links.
  private static func limit(_ heights: [Int], _ shapes: [Shape]) -> Int {
    let area = zip(heights, shapes).reduce(0.0) { $0 + Double($1.0 * ($1.1.width + 80)) }
    return max(600, heights.max() ?? 0, Int(area.squareRoot()))
  }

  var text: String {
    let tables = diagram.tables.indices
    let width = router.right + Self.margin
    let height = (tables.map(layout.bottom(ofTable:)).max() ?? 0) + 2 * Self.margin
    let lines = zip(diagram.links, router.lines(linkCount: diagram.links.count)).map {
      line($0, $1)
    }
    let boxes = columns.enumerated().flatMap { column, tables in tables.map { box($0, column) } }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12">
      <rect width="\(width)" height="\(height)" fill="#ffffff"/>
      <defs>
      <marker id="one" markerWidth="12" markerHeight="12" refX="11" refY="6" orient="auto-start-reverse">\
      <path d="M4 1V11" stroke="#667" fill="none"/></marker>
      <marker id="many" markerWidth="12" markerHeight="12" refX="11" refY="6" orient="auto-start-reverse">\
      <path d="M11 1L1 6L11 11" stroke="#667" fill="none"/></marker>
      </defs>
      <g transform="translate(0.5 0.5)">
      \((lines + boxes).joined(separator: "\n"))
      </g>
      </svg>

      """
  }
}

/// The parts of a box: keys, names and types, each of the same width in all rows.
private struct Shape {
  var keyWidth: Int
  var nameWidth: Int
  var width: Int

  init(_ table: Catalog.Table) {
    let marks = table.columns.map { table.keyMarks(of: $0).count }.max() ?? 0
    keyWidth = marks * 17
    nameWidth = Self.width(table.columns.map(\.name))
    let typeWidth = Self.width(table.columns.map(\.type))
    let gaps = (keyWidth > 0 ? 4 : 0) + (typeWidth > 0 ? 14 : 0)
    width = max(keyWidth + nameWidth + typeWidth + gaps, Self.width([table.name])) + 20
  }

  /// Of texts of 12 pixels, in a font whose characters have the same width.
  static func width(_ texts: [String]) -> Int {
    Int((Double(texts.map(\.shortened.displayWidth).max() ?? 0) * 7.3).rounded(.up))
  }
}

extension String {
  /// The text as it is shown in a box.
  fileprivate var shortened: String { onOneLine.clipped(toWidth: 48) }
}

// Shapes.
extension SVGDiagram {
  private func box(_ index: Int, _ column: Int) -> String {
    let table = diagram.tables[index]
    let (x, y, width) = (
      router.lefts[column], layout.top(ofTable: index) + Self.margin, widths[column]
    )
    let height = DiagramLayout.height(rowCount: table.columns.count)
    let header = DiagramLayout.headerHeight
    let shape = Shape(table)
    let rows = table.columns.enumerated().map { row, column in
      let baseline = y + header + 3 + row * DiagramLayout.rowHeight + 13
      return self.row(column, of: table, shape, x: x + 10, y: baseline)
    }
    return """
      <g><title>\(Self.escaped(table.name))</title>
      <rect x="\(x)" y="\(y)" width="\(width)" height="\(height)" rx="4" fill="#fbfbfd" stroke="#99a"/>
      <rect x="\(x)" y="\(y)" width="\(width)" height="\(header)" rx="4" fill="#e4e8f4" stroke="#99a"/>
      \(text(table.name, x: x + 10, y: y + 16, "font-weight=\"bold\""))
      \(rows.joined(separator: "\n"))</g>
      """
  }

  private func row(
    _ column: Catalog.Column, of table: Catalog.Table, _ shape: Shape, x: Int, y: Int
  ) -> String {
    let marks = table.keyMarks(of: column)
    let nameX = x + shape.keyWidth + (shape.keyWidth > 0 ? 4 : 0)
    let keys = marks.enumerated().map { index, mark in
      text(
        mark, x: x + index * 17, y: y, "font-size=\"10\" fill=\"\(mark == "PK" ? "#a60" : "#36a")\""
      )
    }
    let type =
      column.type.isEmpty
      ? [] : [text(column.type, x: nameX + shape.nameWidth + 14, y: y, "fill=\"#778\"")]
    return (keys + [text(column.name, x: nameX, y: y)] + type).joined()
  }

  private func text(_ text: String, x: Int, y: Int, _ style: String = "fill=\"#112\"") -> String {
    "<text x=\"\(x)\" y=\"\(y)\" \(style) xml:space=\"preserve\">\(Self.escaped(text.shortened))</text>"
  }

  private static func escaped(_ text: String) -> String {
    text.onOneLine.unicodeScalars.reduce(into: "") { xml, scalar in
      switch scalar {
      case "&": xml += "&amp;"
      case "<": xml += "&lt;"
      // XML has no way to write these.
      case "\u{FFFE}", "\u{FFFF}": xml += "\u{FFFD}"
      default: xml.unicodeScalars.append(scalar)
      }
    }
  }

  /// From the key of the parent: lines that share a part of their way begin with the same dashes.
  private func line(_ link: Diagram.Link, _ points: [DiagramRouter.Point]) -> String {
    let (child, parent) = (diagram.tables[link.child], diagram.tables[link.parent])
    let columns = link.key.columns.joined(separator: ", ")
    let others = link.key.tableColumns.joined(separator: ", ")
    let title = "\(child.name)(\(columns)) -> \(parent.name)(\(others))"
    let mark = link.isUnique ? "one" : "many"
    let dash = link.isRequired ? "" : " stroke-dasharray=\"4 3\""
    return """
      <path d="\(Self.path(points))" fill="none" stroke="#667"\(dash) marker-start="url(#one)" marker-end="url(#\(mark))">\
      <title>\(Self.escaped(title))</title></path>
      """
  }

  /// A path with round corners.
  private static func path(_ corners: [DiagramRouter.Point]) -> String {
    let points = corners.map { Point(x: Double($0.x), y: Double($0.y + margin)) }
    var path = "M\(points[0])"
    for (start, (corner, end)) in zip(points, zip(points.dropFirst(), points.dropFirst(2))) {
      let radius = min(6, corner.distance(to: start) / 2, corner.distance(to: end) / 2)
      path += "L\(corner.moved(radius, to: start))Q\(corner) \(corner.moved(radius, to: end))"
    }
    return path + "L\(points[points.count - 1])"
  }
}

private struct Point: CustomStringConvertible {
  var x: Double
  var y: Double

  var description: String { "\(Self.text(x)) \(Self.text(y))" }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  /// On a line that is horizontal or vertical.
  func distance(to other: Point) -> Double { abs(x - other.x) + abs(y - other.y) }

  func moved(_ distance: Double, to other: Point) -> Point {
    let share = distance / max(1, self.distance(to: other))
    return Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
  }
}

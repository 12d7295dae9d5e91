/// A diagram as SVG: tables that others refer to on the left, those that refer to them further to the right.
struct SVGDiagram {
  private let diagram: Diagram
  private let links: [Diagram.Link]
  private var boxes: [Box] = []

  private struct Box {
    var x = 0
    var y = 0
    var width: Int
    var height: Int
  }

  private static let rowHeight = 18
  private static let gapX = 90
  private static let gapY = 24
  private static let margin = 20
  /// Of 12 pixels, in a font whose characters have the same width.
  private static let characterWidth = 7.3

  init(_ diagram: Diagram) {
    self.diagram = diagram
    links = diagram.links
    boxes = diagram.tables.map { table in
      let widths = ([table.name] + table.columns.map(Self.label)).map(\.displayWidth)
      return Box(
        width: Int(Double(widths.max() ?? 0) * Self.characterWidth) + 20,
        height: (table.columns.count + 1) * Self.rowHeight + 8)
    }
    place()
  }

  var text: String {
    let width = (boxes.map { $0.x + $0.width }.max() ?? 0) + Self.gapX / 2
    let height = (boxes.map { $0.y + $0.height }.max() ?? 0) + Self.margin
    let content = links.map(line) + diagram.tables.indices.map(box)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12">
      <rect width="100%" height="100%" fill="#ffffff"/>
      <defs>
      <marker id="one" markerWidth="12" markerHeight="12" refX="11" refY="6" orient="auto-start-reverse">\
      <path d="M4 1V11" stroke="#667" fill="none"/></marker>
      <marker id="many" markerWidth="12" markerHeight="12" refX="11" refY="6" orient="auto-start-reverse">\
      <path d="M11 1L1 6L11 11" stroke="#667" fill="none"/></marker>
      </defs>
      \(content.joined(separator: "\n"))
      </svg>

      """
  }

  private static func label(_ column: Catalog.Column) -> String {
    let mark = column.keyPosition > 0 ? "* " : "  "
    return mark + (column.name + "  " + column.type).onOneLine
  }
}

// Places.
extension SVGDiagram {
  private mutating func place() {
    var x = Self.margin
    for layer in layers() {
      var y = Self.margin
      for index in layer {
        boxes[index].x = x
        boxes[index].y = y
        y += boxes[index].height + Self.gapY
      }
      x += (layer.map { boxes[$0].width }.max() ?? 0) + Self.gapX
    }
  }

  /// The tables by the longest way to a table that refers to no other; those without any link come last.
  private func layers() -> [[Int]] {
    var ranks = Array(repeating: 0, count: boxes.count)
    // A circle ends after as many rounds as there are tables.
    for _ in boxes.indices {
      for link in links where link.child != link.parent && ranks[link.parent] < boxes.count - 1 {
        ranks[link.child] = max(ranks[link.child], ranks[link.parent] + 1)
      }
    }
    // A table that refers to no other moves next to the first one that refers to it.
    let children = Dictionary(grouping: links, by: \.parent)
    for index in boxes.indices where ranks[index] == 0 {
      let nearest = children[index]?.map { ranks[$0.child] }.min() ?? 1
      ranks[index] = max(0, nearest - 1)
    }
    let linked = Set(links.flatMap { [$0.child, $0.parent] })
    let ranked = Dictionary(grouping: boxes.indices.filter { linked.contains($0) }) { ranks[$0] }
    let alone = boxes.indices.filter { !linked.contains($0) }
    let chunks = stride(from: 0, to: alone.count, by: 8).map { Array(alone[$0...].prefix(8)) }
    return ranked.sorted { $0.key < $1.key }.map(\.value) + chunks
  }
}

// Shapes.
extension SVGDiagram {
  private func box(_ index: Int) -> String {
    let (box, table) = (boxes[index], diagram.tables[index])
    let rows = table.columns.enumerated().map { row, column in
      let y = box.y + (row + 2) * Self.rowHeight - 2
      return text(Self.label(column), x: box.x + 8, y: y, weight: "normal")
    }
    return """
      <rect x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)" rx="4" fill="#fbfbfd" stroke="#99a"/>
      <rect x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(Self.rowHeight + 2)" rx="4" fill="#e4e8f4" stroke="#99a"/>
      \(text(table.name.onOneLine, x: box.x + 8, y: box.y + 14, weight: "bold"))
      \(rows.joined(separator: "\n"))
      """
  }

  private func text(_ text: String, x: Int, y: Int, weight: String) -> String {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return
      "<text x=\"\(x)\" y=\"\(y)\" font-weight=\"\(weight)\" xml:space=\"preserve\">\(escaped)</text>"
  }

  /// From the foreign key to the key of the parent. To a parent on the left, or else around the right side.
  private func line(_ link: Diagram.Link) -> String {
    let (child, parent) = (boxes[link.child], boxes[link.parent])
    let start = y(of: link.key.columns.first, in: link.child)
    let end = y(of: link.key.tableColumns.first, in: link.parent)
    let isLeft = parent.x + parent.width < child.x
    let startX = isLeft ? child.x : child.x + child.width
    let endX = parent.x + parent.width
    let bend = isLeft ? (startX - endX) / 2 : -40
    let path =
      "M\(startX) \(start)C\(startX - bend) \(start) \(endX + abs(bend)) \(end) \(endX) \(end)"
    let childMark = link.isUnique ? "one" : "many"
    let dash = link.isRequired ? "" : " stroke-dasharray=\"4 3\""
    return """
      <path d="\(path)" fill="none" stroke="#667"\(dash) marker-start="url(#\(childMark))" marker-end="url(#one)"/>
      """
  }

  private func y(of column: String?, in index: Int) -> Int {
    let columns = diagram.tables[index].columns
    let row = columns.firstIndex { column?.isSameName(as: $0.name) == true }.map { $0 + 1 } ?? 0
    return boxes[index].y + row * Self.rowHeight + 11
  }
}

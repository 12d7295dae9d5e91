import Quarry

/// Hides the values of the order, which cursors are made of.
struct PageAdapter: RowAdapter {
  let base: (any RowAdapter)?

  static let rowIDName = "page key rowid"

  static func columnName(_ number: Int) -> String { "page key \(number)" }

  func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    let layout = try self.base?._layout(over: base).layout ?? base.layout
    let shown = layout.columnNames.indices.filter {
      !layout.columnNames[$0].hasPrefix("page key ")
    }
    return _RowLayoutBase(
      layout: RowLayout(
        columnNames: shown.map { layout.columnNames[$0] }, mapping: shown.map(layout.physicalIndex),
        scopes: layout.scopes, path: layout.path, unadapted: base.layout,
        namesake: layout.namesake))
  }
}

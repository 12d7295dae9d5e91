import Quarry

/// Hides the values of the order, which cursors are made of.
struct PageAdapter: RowAdapter {
  let base: (any RowAdapter)?

  static let rowIDName = "page key rowid"

  static func columnName(_ number: Int) -> String { "page key \(number)" }

  func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    let layout = try self.base?._layout(over: base).layout ?? base.layout
    return _RowLayoutBase(layout: layout.hidingPageKeys(over: base.layout))
  }
}

extension RowLayout {
  /// Beside an outer join, a scope has the columns of the main row, too.
  fileprivate func hidingPageKeys(over base: RowLayout) -> RowLayout {
    let shown = columnNames.indices.filter { !columnNames[$0].hasPrefix("page key ") }
    if shown.count == columnNames.count { return self }
    return RowLayout(
      columnNames: shown.map { columnNames[$0] }, mapping: shown.map(physicalIndex),
      scopes: scopes.map { (name: $0.name, layout: $0.layout.hidingPageKeys(over: base)) },
      path: path, unadapted: base, namesake: namesake)
  }
}

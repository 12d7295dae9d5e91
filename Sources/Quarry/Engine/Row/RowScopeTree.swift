/// The columns of a joined request: a range for the main record, and scopes for the associated
/// ones.
///
/// Computed by the planner. Two equal trees on the same statement share one layout.
package struct RowScopeTree: RowAdapter, Equatable {
  package var range: Range<Int>
  package var scopes: [Scope] = []
  /// The record of the columns, if a scope inside has its name.
  var namesake: NamesakeRecord?
  /// The names of all columns of the statement, which has others where the request is a subquery.
  /// Scopes have none: they show those of the main record.
  var columnNames: [String]?

  package struct Scope: Equatable, Sendable {
    package var name: String
    package var tree: RowScopeTree

    package static func == (lhs: Scope, rhs: Scope) -> Bool {
      lhs.name.hasSameBytes(as: rhs.name) && lhs.tree == rhs.tree
    }
  }

  package func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    guard range.upperBound <= base.layout.count else {
      throw DatabaseError(
        resultCode: .SQLITE_MISMATCH,
        message: "the request selects \(base.layout.count) columns, \(range.upperBound) expected")
    }
    return _RowLayoutBase(layout: makeLayout(named(base.layout), path: []))
  }

  /// The layout of the statement, with the names of the request.
  private func named(_ base: RowLayout) -> RowLayout {
    guard let columnNames, columnNames.count == base.count else { return base }
    return RowLayout(columnNames: columnNames, offset: base.offset)
  }

  /// Whether there is a scope with a name, at any level.
  func hasScope(named name: String) -> Bool {
    scopes.contains { $0.name.isSameIdentifier(as: name) || $0.tree.hasScope(named: name) }
  }

  private func makeLayout(_ base: RowLayout, path: [String]) -> RowLayout {
    let scopes = scopes.map { scope in
      (name: scope.name, layout: scope.tree.makeLayout(base, path: path + [scope.name]))
    }
    return RowLayout(
      columnNames: range.map { $0 < base.count ? base.columnNames[$0] : "" },
      offset: base.offset + range.lowerBound, scopes: scopes, path: path, unadapted: base,
      namesake: namesake)
  }
}

/// Shows the columns of a query in another way: renamed, left out, or split into scopes.
///
/// ```swift
/// let adapter = ScopeAdapter(["team": SuffixRowAdapter(fromIndex: 2)])
/// let row = try Row.fetchOne(db, sql: "SELECT player.id, player.name, team.* …", adapter: adapter)
/// row?.scopes["team"]
/// ```
public protocol RowAdapter: Sendable {
  /// The layout that shows the columns of `base`. Computed once per statement.
  ///
  /// - Throws: ``DatabaseError`` when the adapter refers to columns that `base` lacks.
  func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase
}

/// The layout of rows. Not for applications: adapters pass it on.
public struct _RowLayoutBase {
  let layout: RowLayout
}

extension RowAdapter {
  /// An adapter with more scopes, which are computed on the whole row of the query.
  public func addingScopes(_ scopes: [String: any RowAdapter]) -> any RowAdapter {
    if scopes.isEmpty { return self }
    return ScopeAdapter(base: self, scopes: scopes)
  }

  func layout(over base: RowLayout) throws -> RowLayout {
    try _layout(over: _RowLayoutBase(layout: base)).layout
  }
}

/// The columns of a joined request: a range for the main record, and scopes for the associated ones.
///
/// Computed by the planner. Two equal trees on the same statement share one layout.
struct RowScopeTree: RowAdapter, Equatable {
  var range: Range<Int>
  var scopes: [Scope] = []

  struct Scope: Equatable, Sendable {
    var name: String
    var tree: RowScopeTree
  }

  func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    guard range.upperBound <= base.layout.count else {
      throw DatabaseError(
        resultCode: .SQLITE_MISMATCH,
        message: "the request selects \(base.layout.count) columns, \(range.upperBound) expected")
    }
    return _RowLayoutBase(layout: makeLayout(base.layout, path: []))
  }

  private func makeLayout(_ base: RowLayout, path: [String]) -> RowLayout {
    let scopes = scopes.map { scope in
      (name: scope.name, layout: scope.tree.makeLayout(base, path: path + [scope.name]))
    }
    return RowLayout(
      columnNames: range.map { $0 < base.count ? base.columnNames[$0] : "" },
      offset: base.offset + range.lowerBound, scopes: scopes, path: path, unadapted: base)
  }
}

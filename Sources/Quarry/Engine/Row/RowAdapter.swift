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

/// An adapter that fetches hand on. No adapter is a word: a copy of the optional existential takes
/// 40 instructions.
@usableFromInline package typealias SharedRowAdapter = Shared<any RowAdapter>

extension (any RowAdapter)? {
  @usableFromInline var shared: SharedRowAdapter? { map(Shared.init) }
}

/// The layout of rows. Not for applications: adapters pass it on.
public struct _RowLayoutBase {
  package let layout: RowLayout

  package init(layout: RowLayout) { self.layout = layout }
}

extension RowAdapter {
  /// An adapter with more scopes, which are computed on the whole row of the query.
  public func addingScopes(_ scopes: [String: any RowAdapter]) -> any RowAdapter {
    if scopes.isEmpty { return self }
    return ScopeAdapter(base: self, scopes: scopes)
  }

  package func layout(over base: RowLayout) throws -> RowLayout {
    try _layout(over: _RowLayoutBase(layout: base)).layout
  }
}

extension Row {
  /// The scopes of the row: other rows made of columns of the same query, such as those of joined
  /// records.
  ///
  /// ```swift
  /// // SELECT "book".*, "author".* FROM "book" JOIN "author" ON …
  /// let row = try Row.fetchOne(db, Book.including(required: Book.author))
  /// row?.scopes["author"] // the columns of the author
  /// ```
  public var scopes: ScopesView { ScopesView(row: self) }

  /// The scopes of the row, of its scopes, and so on.
  public var scopesTree: ScopesTreeView { ScopesTreeView(row: self) }

  /// The row without its scopes and prefetched rows.
  public var unscoped: Row {
    let layout = RowLayout(
      columnNames: layout.columnNames, offset: layout.offset, mapping: layout.mapping,
      path: ["unscoped"], unadapted: layout.unadapted)
    return sibling(layout: layout)
  }

  /// The row of the statement, without any adapter.
  public var unadapted: Row {
    guard let unadapted = layout.unadapted else { return self }
    return sibling(layout: unadapted)
  }

  /// Another row on the same values, independent of cursors: a copy where the row is live.
  private func sibling(layout: RowLayout) -> Row {
    let copy = liveStatement == nil ? self : copy()
    guard let batch = copy.batch else { return self }
    return Row(batch: batch, index: copy.batchIndex, layout: layout)
  }

  /// The row of a scope, for a property.
  @inline(__always) func scope(named name: String) -> Row? {
    let scope = childRow(forScope: name)
    if scope != nil { noteAssociation() }
    return scope
  }

  /// The row of a scope, which moves with this one. One row per scope, kept from a move to the
  /// next.
  func childRow(forScope name: String) -> Row? {
    guard let child = unownedExtras?.use({ $0.child(named: name) }) else {
      return makeChildRow(forScope: name)
    }
    // The row may have decoded records before, and not do so now, or the other way round.
    child.isDecodingRecord = isDecodingRecord
    return child
  }

  @inline(never) private func makeChildRow(forScope name: String) -> Row? {
    guard let scope = layout.scope(named: name), let child = row(showing: scope) else { return nil }
    child.isDecodingRecord = isDecodingRecord
    child.setParent(self)
    let extras = makeExtras()
    extras.children.append(child)
    extras.childNames.append(name)
    hasChildren = true
    return child
  }

  /// The scopes of a row.
  public struct ScopesView: Collection {
    let row: Row

    /// A position in the scopes of a row.
    public typealias Index = Int

    /// The names of the scopes, in the order of the query.
    public var names: [String] { row.layout.scopes.map(\.name) }

    /// The scope with a name.
    public subscript(_ name: String) -> Row? { row.scope(named: name) }

    /// The position of the first scope.
    public var startIndex: Int { 0 }

    /// The position after the last scope.
    public var endIndex: Int { row.layout.scopes.count }

    /// The position after another one.
    public func index(after index: Int) -> Int { index + 1 }

    /// The name and row of a scope.
    public subscript(_ index: Int) -> (name: String, row: Row) {
      let name = row.layout.scopes[index].name
      return (name: name, row: row.childRow(forScope: name) ?? Row())
    }
  }

  /// The scopes of a row, of its scopes, and so on.
  public struct ScopesTreeView {
    let row: Row

    /// The names of the scopes at all levels.
    public var names: Set<String> {
      var names: Set<String> = []
      var pending = [row.layout]
      while let layout = pending.popLast() {
        names.formUnion(layout.scopes.map(\.name))
        pending.append(contentsOf: layout.scopes.map(\.layout))
      }
      return names
    }

    /// The scope with a name that is nearest to the row.
    public subscript(_ name: String) -> Row? {
      row.scope(named: name) ?? row.nearestScope { $0.hasSameBytes(as: name) }
    }
  }
}

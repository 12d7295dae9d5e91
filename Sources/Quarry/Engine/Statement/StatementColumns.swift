/// The columns of a statement, and the layouts of its rows.
///
/// They stay the same until SQLite compiles the statement again, for another schema.
struct StatementColumns {
  /// The layout of rows that no adapter changes.
  private(set) var layout: RowLayout

  /// The names that SQLite gives to the columns: the layout may have others.
  private var compiledNames: [String]

  /// The layout of the last joined request.
  private var joined: (adapter: SharedRowAdapter, tree: RowScopeTree, layout: RowLayout)?

  /// How often SQLite had compiled the statement again when the columns were read.
  private var compilationCount: CInt = 0

  init(_ handle: StatementHandle) {
    compiledNames = handle.columnNames
    layout = RowLayout(columnNames: compiledNames)
  }

  /// Shows the columns under other names.
  mutating func rename(_ names: [String]) {
    precondition(names.count == layout.count, "wrong number of column names")
    setNames(names)
  }

  private mutating func setNames(_ names: [String]) {
    layout = RowLayout(columnNames: names)
    joined = nil
  }

  /// The layout of the rows that an adapter shows. Joined requests share theirs from an execution
  /// to the next one.
  @inline(__always) mutating func layout(_ adapter: SharedRowAdapter?) throws -> RowLayout {
    guard let adapter else { return layout }
    return try adaptedLayout(adapter)
  }

  private mutating func adaptedLayout(_ adapter: SharedRowAdapter) throws -> RowLayout {
    if let joined, joined.adapter === adapter { return joined.layout }
    guard let tree = adapter.value as? RowScopeTree else {
      return try adapter.value.layout(over: layout)
    }
    let shared = joined.flatMap { $0.tree == tree ? $0.layout : nil }
    let layout = try shared ?? tree.layout(over: layout)
    joined = (adapter, tree, layout)
    return layout
  }

  /// Called after the first step, which compiles the statement again when the schema has changed.
  /// Returns whether it did.
  @inline(__always) mutating func refresh(_ handle: StatementHandle) -> Bool {
    let count = handle.reprepareCount
    if count == compilationCount { return false }
    compilationCount = count
    let names = handle.columnNames
    if !names.hasSameTexts(as: compiledNames) {
      compiledNames = names
      setNames(names)
    }
    return true
  }
}

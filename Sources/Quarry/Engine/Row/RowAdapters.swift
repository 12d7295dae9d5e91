/// Splits the columns of a query into consecutive ranges: one adapter per count, and one for all
/// remaining columns.
///
/// ```swift
/// let adapters = splittingRowAdapters(columnCounts: [2, 3]) // 0..<2, 2..<5, from 5 on
/// ```
public func splittingRowAdapters(columnCounts: [Int]) -> [any RowAdapter] {
  var start = 0
  var adapters: [any RowAdapter] = []
  for count in columnCounts {
    adapters.append(RangeRowAdapter(start..<(start + count)))
    start += count
  }
  adapters.append(SuffixRowAdapter(fromIndex: start))
  return adapters
}

/// Shows no column.
public struct EmptyRowAdapter: RowAdapter {
  /// Creates an adapter that shows no column.
  public init() {}

  /// See ``RowAdapter``.
  public func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    base.showing([], names: [])
  }
}

/// Renames columns, and leaves out the others.
///
/// ```swift
/// let adapter = ColumnMapping(["id": "teamId"]) // column `id` shows the column `teamId` of the query
/// ```
public struct ColumnMapping: RowAdapter {
  private let mapping: [String: String]

  /// Creates an adapter from new names to the names of columns of the query.
  public init(_ mapping: [String: String]) { self.mapping = mapping }

  /// See ``RowAdapter``.
  public func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    let columns = try mapping.map { name, baseName in
      guard let index = base.layout.index(ofColumn: baseName) else {
        let names = base.layout.columnNames.joined(separator: ", ")
        throw DatabaseError.misuse(
          "Mapping references missing column \(baseName). Valid column names are: \(names).")
      }
      return (index: index, name: name)
    }
    let sorted = columns.sorted { ($0.index, $0.name) < ($1.index, $1.name) }
    return base.showing(sorted.map(\.index), names: sorted.map(\.name))
  }
}

/// Shows the columns from an index on.
public struct SuffixRowAdapter: RowAdapter {
  private let start: Int

  /// Creates an adapter that hides the first columns.
  public init(fromIndex index: Int) {
    precondition(index >= 0, "Negative column index is out of range")
    start = index
  }

  /// See ``RowAdapter``.
  public func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    try base.showing(min(start, base.layout.count)..<base.layout.count)
  }
}

/// Shows a range of columns.
public struct RangeRowAdapter: RowAdapter {
  private let range: Range<Int>

  /// Creates an adapter that shows a range of columns.
  public init(_ range: CountableRange<Int>) {
    precondition(range.lowerBound >= 0, "Negative column index is out of range")
    self.range = range
  }

  /// Creates an adapter that shows a range of columns.
  public init(_ range: CountableClosedRange<Int>) {
    self.init(range.lowerBound..<(range.upperBound + 1))
  }

  /// See ``RowAdapter``.
  public func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    try base.showing(range)
  }
}

/// Adds scopes to a row: other views on the columns of the same query.
public struct ScopeAdapter: RowAdapter {
  private let base: (any RowAdapter)?
  private let scopes: [String: any RowAdapter]

  /// Creates an adapter that shows all columns, with scopes.
  public init(_ scopes: [String: any RowAdapter]) {
    base = nil
    self.scopes = scopes
  }

  /// Creates an adapter that shows the columns of another one, with more scopes.
  public init(base: some RowAdapter, scopes: [String: any RowAdapter]) {
    self.base = base
    self.scopes = scopes
  }

  /// See ``RowAdapter``.
  public func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    let main = try self.base?.layout(over: base.layout) ?? base.layout
    let added = try scopes.sorted { $0.key < $1.key }.map { name, adapter in
      (name: name, layout: try adapter.layout(over: base.layout))
    }
    let kept = main.scopes.filter { !scopes.keys.containsText($0.name) }
    return _RowLayoutBase(
      layout: RowLayout(
        columnNames: main.columnNames, offset: main.offset, mapping: main.mapping,
        scopes: kept + added, unadapted: main.unadapted ?? base.layout))
  }
}

/// Renames all columns.
///
/// ```swift
/// let adapter = RenameColumnAdapter { "player_" + $0 }
/// ```
public struct RenameColumnAdapter: RowAdapter {
  private let transform: @Sendable (String) -> String

  /// Creates an adapter from a function of the name of a column.
  public init(_ transform: @escaping @Sendable (String) -> String) { self.transform = transform }

  /// See ``RowAdapter``.
  public func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    _RowLayoutBase(
      layout: RowLayout(
        columnNames: base.layout.columnNames.map(transform), offset: base.layout.offset,
        mapping: base.layout.mapping, scopes: base.layout.scopes,
        unadapted: base.layout.unadapted ?? base.layout))
  }
}

extension _RowLayoutBase {
  func showing(_ indexes: [Int], names: [String]) -> _RowLayoutBase {
    _RowLayoutBase(
      layout: RowLayout(
        columnNames: names, mapping: indexes.map(layout.physicalIndex),
        unadapted: layout.unadapted ?? layout))
  }

  func showing(_ range: Range<Int>) throws -> _RowLayoutBase {
    guard range.upperBound <= layout.count else {
      throw DatabaseError.misuse(
        "Columns \(range) are out of range: the row has \(layout.count) columns.")
    }
    let names = Array(layout.columnNames[range])
    guard layout.mapping == nil else { return showing(Array(range), names: names) }
    return _RowLayoutBase(
      layout: RowLayout(
        columnNames: names, offset: layout.offset + range.lowerBound,
        unadapted: layout.unadapted ?? layout))
  }
}

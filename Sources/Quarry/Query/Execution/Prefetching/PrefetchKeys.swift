/// The distinct keys of the parents of a prefetch, and the parents of each key.
///
/// Keys are numbered in the order of the parents. Nearly all keys are integers: they are looked up
/// without making database values.
struct PrefetchKeys {
  private enum Index {
    case integers(IntegerKeys)
    case values([DatabaseValue: Int32])
    case tuples([[DatabaseValue]: Int32])
  }

  private let index: Index
  /// The number of the key of each parent, or -1 for a null.
  private let keyOfParent: [Int32]
  private let count: Int

  init(parents: RowBatch, columns: [Int]) {
    if columns.count > 1 {
      (index, keyOfParent, count) = Self.tuples(parents, columns)
    } else if let integers = Self.integers(parents, columns[0]) {
      (index, keyOfParent, count) = integers
    } else {
      (index, keyOfParent, count) = Self.values(parents, columns[0])
    }
  }

  private typealias Parts = (index: Index, keyOfParent: [Int32], count: Int)

  /// Nil when there are other keys than integers and nulls.
  private static func integers(_ parents: RowBatch, _ column: Int) -> Parts? {
    var keys = IntegerKeys(capacity: parents.rowCount)
    var keyOfParent: [Int32] = []
    keyOfParent.reserveCapacity(parents.rowCount)
    for row in 0..<parents.rowCount {
      let cell = parents.cell(row: row, column: column)
      switch cell.kind {
      case .integer: keyOfParent.append(keys.add(Int64(bitPattern: cell.bits)))
      case .null: keyOfParent.append(-1)
      case .double, .text, .blob, .invalid: return nil
      }
    }
    return (.integers(keys), keyOfParent, keys.count)
  }

  private static func values(_ parents: RowBatch, _ column: Int) -> Parts {
    var numbers: [DatabaseValue: Int32] = [:]
    let keyOfParent = (0..<parents.rowCount).map { row in
      let value = parents.databaseValue(row: row, column: column)
      return value.isNull ? -1 : numbers.number(of: value)
    }
    return (.values(numbers), keyOfParent, numbers.count)
  }

  private static func tuples(_ parents: RowBatch, _ columns: [Int]) -> Parts {
    var numbers: [[DatabaseValue]: Int32] = [:]
    let keyOfParent = (0..<parents.rowCount).map { row in
      let values = columns.map { parents.databaseValue(row: row, column: $0) }
      return values.contains(where: \.isNull) ? -1 : numbers.number(of: values)
    }
    return (.tuples(numbers), keyOfParent, numbers.count)
  }
}

// Keys that are different values, and that SQLite might take for equal.
extension PrefetchKeys {
  /// True if keys differ by their case, spaces at their ends, or types only.
  var areAlike: Bool {
    switch index {
    case .integers: return false
    case .values(let numbers):
      let convert = numbers.keys.contains(where: \.isStoredNumber)
      return Set(numbers.keys.map { $0.likeness(convert) }).count < numbers.count
    case .tuples(let numbers):
      let convert = numbers.keys.contains { $0.contains(where: \.isStoredNumber) }
      return Set(numbers.keys.map { $0.map { $0.likeness(convert) } }).count < numbers.count
    }
  }
}

extension DatabaseValue {
  /// The same value for all that collations and conversions usually take for equal.
  ///
  /// - parameter converts: Whether texts may be compared with numbers.
  fileprivate func likeness(_ converts: Bool) -> DatabaseValue {
    switch storage {
    case .double(let number): return Int64(exactly: number)?.databaseValue ?? self
    case .string(let text):
      let word = text.drop { $0 == " " }
      let end = word.lastIndex { $0 != " " }
      let content = (end.map { word[...$0] } ?? "").lowercased()
      guard converts, content.allSatisfy({ "0123456789+-.e".contains($0) }) else {
        return content.databaseValue
      }
      if let number = Int64(content) { return number.databaseValue }
      return Double(content)?.databaseValue.likeness(converts) ?? content.databaseValue
    case .null, .int64, .blob: return self
    }
  }
}

// The children of each parent.
extension PrefetchKeys {
  /// The children of parent `i` are `order[starts[i]..<starts[i + 1]]`, in their own order.
  struct Groups {
    let starts: [Int32]
    let order: [Int32]
    /// False if there are children of none of the parents, or parents that may lack some.
    var isComplete: Bool
  }

  /// Gives the children to their parents.
  func group(_ children: RowBatch, columns: [Int]) -> Groups {
    let (keyStarts, sorted) = sortByKey(children, columns)
    var starts: [Int32] = [0]
    starts.reserveCapacity(keyOfParent.count + 1)
    var order: [Int32] = []
    order.reserveCapacity(children.rowCount)
    for key in keyOfParent {
      if key >= 0 { order += sorted[keyStarts[Int(key)]..<keyStarts[Int(key) + 1]] }
      starts.append(Int32(order.count))
    }
    return Groups(
      starts: starts, order: order, isComplete: sorted.count == children.rowCount)
  }

  /// The indexes of the children, sorted by the number of their key: a counting sort.
  private func sortByKey(_ children: RowBatch, _ columns: [Int]) -> (starts: [Int], [Int32]) {
    var starts = [Int](repeating: 0, count: count + 1)
    let keys = numbers(of: children, columns)
    for key in keys where key >= 0 { starts[Int(key) + 1] += 1 }
    for key in 0..<count { starts[key + 1] += starts[key] }
    var next = starts
    var sorted = [Int32](repeating: 0, count: starts[count])
    for row in keys.indices where keys[row] >= 0 {
      let key = Int(keys[row])
      sorted[next[key]] = Int32(row)
      next[key] += 1
    }
    return (starts, sorted)
  }

  /// The number of the key of each child, or -1.
  private func numbers(of children: RowBatch, _ columns: [Int]) -> [Int32] {
    let rows = 0..<children.rowCount
    return switch index {
    case .integers(let keys): keys.numbers(of: children, column: columns[0])
    case .values(let numbers):
      rows.map { numbers[children.databaseValue(row: $0, column: columns[0])] ?? -1 }
    case .tuples(let numbers):
      rows.map { row in
        numbers[columns.map { children.databaseValue(row: row, column: $0) }] ?? -1
      }
    }
  }
}

// The keys in the request for the children.
extension PrefetchKeys {
  /// The condition that selects the children. Nil when the keys are better read from the database
  /// again.
  func condition(on columns: [String], usesJSON: Bool) -> SQLExpression? {
    switch index {
    case .integers, .values:
      let column = SQLExpression(.column(columns[0]))
      let keys = sortedKeys
      if keys.count <= (usesJSON ? JSONKeys.listLimit : JSONKeys.variableLimit) {
        return .membership(column, in: keys.map(SQLExpression.init))
      }
      guard usesJSON, let json = JSONKeys.array(of: keys) else { return nil }
      return .membership(column, inJSON: json)
    case .tuples(let numbers):
      guard usesJSON, numbers.count > JSONKeys.listLimit,
        let json = JSONKeys.array(of: numbers.keys)
      else { return nil }
      return .membership(row: columns.map { SQLExpression(.column($0)) }, inJSON: json)
    }
  }

  /// The condition with all keys, which are not read from the database again.
  func list(on columns: [String]) -> SQLExpression {
    let columns = columns.map { SQLExpression(.column($0)) }
    guard case .tuples(let numbers) = index else {
      return .membership(columns[0], in: sortedKeys.map(SQLExpression.init))
    }
    // In the order of the parents.
    let rows = numbers.sorted { $0.value < $1.value }.map(\.key)
    return .membership(
      SQLExpression(.row(columns)),
      in: rows.map { SQLExpression(.row($0.map(SQLExpression.init))) })
  }

  /// The keys of one column.
  private var sortedKeys: [DatabaseValue] {
    switch index {
    case .integers(let keys): keys.sorted.map { DatabaseValue(storage: .int64($0)) }
    case .values(let numbers): numbers.keys.sorted { $0.precedes($1) }
    case .tuples: []
    }
  }
}

extension Dictionary where Value == Int32 {
  /// The number of a key: keys are numbered in the order of their first appearance.
  fileprivate mutating func number(of key: Key) -> Int32 {
    let next = Int32(count)
    let number = self[key, default: next]
    if number == next { self[key] = next }
    return number
  }
}

/// Integers and their numbers.
private struct IntegerKeys {
  /// The key with number 0: the rows of one parent are found without a dictionary.
  private var first: Int64 = 0
  private var others: [Int64: Int32] = [:]
  private(set) var count = 0

  init(capacity: Int) { if capacity > 1 { others.reserveCapacity(capacity) } }

  var sorted: [Int64] {
    others.isEmpty ? [Int64](repeating: first, count: count) : (others.keys + [first]).sorted()
  }

  mutating func add(_ key: Int64) -> Int32 {
    let number = number(of: key)
    if number >= 0 { return number }
    let next = Int32(count)
    if count == 0 { first = key } else { others[key] = next }
    count += 1
    return next
  }

  private func number(of key: Int64) -> Int32 {
    if count == 0 { return -1 }
    return key == first ? 0 : others[key] ?? -1
  }

  /// The number of the key in each row. Rows with the same key mostly follow each other.
  func numbers(of rows: RowBatch, column: Int) -> [Int32] {
    var last = (key: first, number: Int32(count == 0 ? -1 : 0))
    return (0..<rows.rowCount).map { row in
      guard let key = rows.integer(row: row, column: column) else { return -1 }
      if key != last.key { last = (key, number(of: key)) }
      return last.number
    }
  }
}

extension RowBatch {
  /// Nil for other values than whole numbers.
  fileprivate func integer(row: Int, column: Int) -> Int64? {
    let cell = cell(row: row, column: column)
    return switch cell.kind {
    case .integer: Int64(bitPattern: cell.bits)
    case .double: Int64(exactly: Double(bitPattern: cell.bits))
    case .null, .text, .blob, .invalid: nil
    }
  }
}

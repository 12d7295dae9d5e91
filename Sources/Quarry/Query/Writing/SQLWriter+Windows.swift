// Windows. See <https://www.sqlite.org/windowfunctions.html>.

extension SQLWriter {
  /// ` WINDOW "w" AS (PARTITION BY "team")`
  mutating func write(_ windows: [PlannedWindow]) throws {
    for (index, definition) in windows.enumerated() {
      buffer.append(index == 0 ? " WINDOW " : ", ")
      buffer.append(identifier: definition.name)
      buffer.append(" AS ")
      begin(source: definition.source)
      try write(window: definition.window)
    }
  }

  /// `SUM("price") OVER (…)`
  mutating func write(_ call: SQLExpression, over window: SQLWindow) throws {
    try write(call)
    buffer.append(" OVER ")
    if window.isReference, let name = window.base {
      buffer.append(identifier: name)
    } else {
      try write(window: window)
    }
  }

  /// `("w" PARTITION BY "team" ORDER BY "score" ROWS UNBOUNDED PRECEDING)`
  private mutating func write(window: SQLWindow) throws {
    buffer.append("(")
    var separator: StaticString = ""
    func begin(_ keyword: StaticString, in buffer: inout SQLBuffer) {
      buffer.append(separator)
      separator = " "
      buffer.append(keyword)
    }
    if let base = window.base {
      begin("", in: &buffer)
      buffer.append(identifier: base)
    }
    if !window.partition.isEmpty {
      begin("PARTITION BY ", in: &buffer)
      try write(list: window.partition)
    }
    if !window.orderings.isEmpty {
      begin("ORDER BY ", in: &buffer)
      try write(terms: window.orderings)
    }
    if let frame = window.frame {
      begin("", in: &buffer)
      try write(frame)
    }
    buffer.append(")")
  }

  private mutating func write(_ frame: SQLWindowFrame) throws {
    buffer.append(frame.unit.keyword)
    if let end = frame.end {
      buffer.append("BETWEEN ")
      try write(frame.start)
      buffer.append(" AND ")
      try write(end)
    } else {
      try write(frame.start)
    }
    buffer.append(frame.exclusion.keyword)
  }

  private mutating func write(_ bound: SQLWindowFrame.Bound) throws {
    switch bound.node {
    case .unboundedPreceding: buffer.append("UNBOUNDED PRECEDING")
    case .currentRow: buffer.append("CURRENT ROW")
    case .unboundedFollowing: buffer.append("UNBOUNDED FOLLOWING")
    case .preceding(let offset):
      try write(operand: offset)
      buffer.append(" PRECEDING")
    case .following(let offset):
      try write(operand: offset)
      buffer.append(" FOLLOWING")
    }
  }
}

extension SQLWindowFrame.Unit {
  fileprivate var keyword: StaticString {
    switch self {
    case .rows: "ROWS "
    case .range: "RANGE "
    case .groups: "GROUPS "
    }
  }
}

extension SQLWindowFrame.Exclusion {
  fileprivate var keyword: StaticString {
    switch self {
    case .noOthers: ""
    case .currentRow: " EXCLUDE CURRENT ROW"
    case .group: " EXCLUDE GROUP"
    case .ties: " EXCLUDE TIES"
    }
  }
}

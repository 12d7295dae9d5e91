import CSQLite
import Quarry

// The way from SQLite's question to a table, and from the answer of the table back to SQLite.
//
// See <https://www.sqlite.org/vtab.html#the_xbestindex_method>.

extension VirtualTableInstance {
  /// Thrown when the constraints that can be used don't suffice: SQLite tries another order of the
  /// joined tables.
  struct NoSolution: Error {}

  private static let limit: UInt8 = 73
  private static let offset: UInt8 = 74

  func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>) throws {
    let terms = unsafe UnsafeBufferPointer(
      start: info.pointee.aConstraint, count: Int(info.pointee.nConstraint))
    let arguments = try unsafe arguments(in: terms)
    let missing = columns.indices.first { index in
      columns[index].isRequired && !arguments.contains { unsafe terms[$0].iColumn == CInt(index) }
    }
    if let missing { return try unsafe answer(missing: missing, in: info) }
    var query = VirtualTableQuery(
      constraints: terms.indices.filter { !arguments.contains($0) }.compactMap { index in
        unsafe constraint(terms[index], at: index, info)
      },
      orderings: unsafe orderings(of: info.pointee), columnMask: unsafe info.pointee.colUsed)
    try table.plan(&query)
    guard !query.hasUnknownConstraint else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "the constraint is not one of the query")
    }
    let limits =
      unsafe query.handlesLimit ? self.limits(in: terms, query, argumentCount: arguments.count) : []
    try unsafe answer(query, arguments: arguments, limits: limits, in: info)
  }

  /// The constraints that are arguments of parameters.
  private func arguments(in terms: UnsafeBufferPointer<sqlite3_index_constraint>) throws -> [Int] {
    var arguments: [Int] = []
    for (position, column) in columns.enumerated() where column.isParameter {
      let candidates = terms.indices.filter {
        unsafe terms[$0].iColumn == CInt(position)
          && terms[$0].op == VirtualTableOperator.equal.rawValue
      }
      if let index = candidates.first(where: { unsafe terms[$0].usable != 0 }) {
        arguments.append(index)
      } else if !candidates.isEmpty {
        throw NoSolution()
      }
    }
    return arguments
  }

  /// The answer is the worst of all plans.
  private func answer(
    missing column: Int, in info: UnsafeMutablePointer<sqlite3_index_info>
  ) throws {
    var query = VirtualTableQuery(constraints: [], orderings: [], columnMask: 0)
    query.estimatedRowCount = 1 << 48
    query.estimatedCost = 1e99
    var plan = ScanPlan()
    plan.missingColumn = column
    try unsafe write(query, plan, in: info)
  }

  private func constraint(
    _ term: sqlite3_index_constraint, at index: Int,
    _ info: UnsafeMutablePointer<sqlite3_index_info>
  ) -> VirtualTableQuery.Constraint? {
    guard term.usable != 0, let found = VirtualTableOperator(rawValue: term.op) else { return nil }
    let collation = unsafe sqlite3_vtab_collation(info, CInt(index)).map {
      unsafe String(cString: $0)
    }
    return unsafe VirtualTableQuery.Constraint(
      column: term.iColumn < 0 ? nil : Int(term.iColumn), operator: found,
      collation: collation ?? "BINARY",
      isList: found == .equal && quarry_vtab_in(info, CInt(index), -1) != 0, index: index)
  }

  private func orderings(of info: sqlite3_index_info) -> [VirtualTableQuery.Ordering] {
    unsafe UnsafeBufferPointer(start: info.aOrderBy, count: Int(info.nOrderBy)).map { term in
      VirtualTableQuery.Ordering(
        column: term.iColumn < 0 ? nil : Int(term.iColumn), isDescending: term.desc != 0)
    }
  }

  /// The terms of LIMIT and OFFSET, if the table can take care of them: SQLite must not have
  /// anything left to do before.
  private func limits(
    in terms: UnsafeBufferPointer<sqlite3_index_constraint>, _ query: VirtualTableQuery,
    argumentCount: Int
  ) -> [Int] {
    let limits = terms.indices.filter {
      unsafe terms[$0].op == Self.limit || terms[$0].op == Self.offset
    }
    // Earlier versions forget conditions that compare two columns of the table: they pass the limit
    // all the same.
    guard SQLiteVersion.linked >= SQLiteVersion(3, 44) else { return [] }
    let exactCount = query.uses.count(where: \.isExact) + argumentCount
    guard unsafe terms.allSatisfy({ $0.usable != 0 }), query.orderings.isEmpty || query.isOrdered,
      exactCount + limits.count == terms.count
    else { return [] }
    return limits.sorted { unsafe terms[$0].op < terms[$1].op }
  }

  private func answer(
    _ query: VirtualTableQuery, arguments: [Int], limits: [Int],
    in info: UnsafeMutablePointer<sqlite3_index_info>
  ) throws {
    guard let usages = unsafe info.pointee.aConstraintUsage ?? emptyUsage(info) else { return }
    var plan = ScanPlan()
    plan.columnMask = query.columnMask
    plan.orderings = query.isOrdered ? query.orderings : []
    let terms = unsafe info.pointee.aConstraint
    var count: CInt = 0
    func use(_ index: Int, isExact: Bool) {
      count += 1
      unsafe usages[index].argvIndex = count
      unsafe usages[index].omit = isExact ? 1 : 0
    }
    for index in arguments {
      use(index, isExact: true)
      let column = unsafe terms.map { unsafe Int($0[index].iColumn) }
      plan.uses.append(.init(column: column, operator: .equal, isArgument: true))
    }
    for item in query.uses {
      let constraint = item.constraint
      use(constraint.index, isExact: item.isExact)
      if item.takesList { _ = unsafe quarry_vtab_in(info, CInt(constraint.index), 1) }
      plan.uses.append(
        .init(
          column: constraint.column, operator: constraint.operator, takesList: item.takesList))
    }
    for index in limits {
      use(index, isExact: true)
      if unsafe terms?[index].op == Self.limit {
        plan.hasLimit = true
      } else {
        plan.hasOffset = true
      }
    }
    try unsafe write(query, plan, in: info)
  }

  /// Without constraints there is nothing to write, but the array may be missing.
  private func emptyUsage(
    _ info: UnsafeMutablePointer<sqlite3_index_info>
  ) -> UnsafeMutablePointer<sqlite3_index_constraint_usage>? {
    unsafe info.pointee.nConstraint == 0 ? UnsafeMutablePointer(bitPattern: 8) : nil
  }

  private func write(
    _ query: VirtualTableQuery, _ plan: ScanPlan,
    in info: UnsafeMutablePointer<sqlite3_index_info>
  ) throws {
    guard let text = unsafe SQLiteText.copy(plan.text) else {
      throw DatabaseError(resultCode: .SQLITE_NOMEM)
    }
    unsafe info.pointee.idxNum = query.strategy
    unsafe info.pointee.idxStr = unsafe text
    unsafe info.pointee.needToFreeIdxStr = 1
    unsafe info.pointee.orderByConsumed = query.isOrdered ? 1 : 0
    let rowCount = max(query.estimatedRowCount ?? 1_000_000, 1)
    unsafe info.pointee.estimatedRows = rowCount
    let cost = query.estimatedCost ?? Double(rowCount)
    // SQLite computes with logarithms.
    unsafe info.pointee.estimatedCost = cost.isFinite ? min(max(cost, 0), 1e99) : 1e99
    if query.isUnique { unsafe info.pointee.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE }
  }
}

/// Texts that SQLite frees.
enum SQLiteText {
  static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    let bytes = text.utf8CString
    guard let copy = unsafe sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: copy, count: source.count).copyMemory(
        from: source)
    }
    return unsafe copy.assumingMemoryBound(to: CChar.self)
  }
}

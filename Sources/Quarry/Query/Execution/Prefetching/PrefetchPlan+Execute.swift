// How the keys of the parents get into the request for their children:
//
// | foreign key | keys | condition |
// | --- | --- | --- |
// | one column | up to 100 | `"authorId" IN (?, ?, ?)` |
// | one column | more, integers and texts | `"authorId" IN (SELECT +"value" FROM json_each(?))` |
// | several columns | more than 100, integers and texts | the same, with an array of arrays |
// | one column | before SQLite 3.38, up to 30,000 | `"authorId" IN (?, ?, ?)` |
// | any | all others | `("shop", "isbn") IN "grdb_base"`: the main request again, as a table expression |
// | any | those of joined records, or of a main request that may find other rows then, or that is filtered by a selected value | `("shop", "isbn") IN (VALUES (?, ?), (?, ?))` |
//
// So the number of keys is bound by no limit of SQLite, and large numbers of keys make one SQL
// text: but for blobs and other keys that JSON lacks, of joined records, or of a main request with
// a limit or with functions. Those are literals where SQLite has not as many arguments: see
// `SQLWriter+ArgumentLimit.swift`.

extension PrefetchPlan {
  /// Fetches the associations of rows.
  ///
  /// - Throws: `InvalidRequest` when the rows lack the columns of a foreign key.
  func execute(_ db: Database, parents: RowBatch) throws {
    for prefetch in prefetches {
      var (children, groups) = try fetch(prefetch, db, parents: parents)
      // SQLite has taken another key for equal, or parents have keys that it may take for equal.
      if !groups.isComplete, let joined = try prefetch.joiningParent(in: PlanningContext(db)) {
        (children, groups) = try fetch(joined, db, parents: parents)
      }
      parents.prefetched.append(
        PrefetchedAssociation(
          scopePath: prefetch.scopePath, key: prefetch.key, children: children,
          layout: children.layout, starts: groups.starts, order: groups.order))
    }
  }

  private func fetch(
    _ prefetch: Prefetch, _ db: Database, parents: RowBatch
  ) throws -> (RowBatch, PrefetchKeys.Groups) {
    let (relation, keys) = try relation(for: prefetch, db, parents: parents)
    let children = try db.prepareChecked(relation).fetchBatch(db)
    let columns = prefetch.keyNames.compactMap(children.layout.index)
      .map(children.layout.physicalIndex)
    var groups = keys.group(children, columns: columns)
    if prefetch.rechecksAlikeKeys, keys.areAlike { groups.isComplete = false }
    return (children, groups)
  }

  /// The request for the rows of an association, and the keys of the parents.
  func relation(
    for prefetch: Prefetch, _ db: Database, parents: RowBatch
  ) throws -> (Relation, PrefetchKeys) {
    let layout = try layout(of: prefetch, in: parents)
    let columns = try columnIndexes(of: prefetch, in: layout)
    if prefetch.requiresKey, !prefetch.isParentOptional {
      try checkKeys(of: parents, layout, columns, prefetch)
    }
    let keys = PrefetchKeys(parents: parents, columns: columns)
    var condition = keys.condition(on: prefetch.keyColumns, usesJSON: usesJSON)
    if condition == nil, try !repeatsBase(for: prefetch, db) {
      condition = keys.list(on: prefetch.keyColumns)
    }
    return (relation(for: prefetch, where: condition), keys)
  }

  /// Whether the keys are those of the main request, which is repeated. False if it might find
  /// other rows then: functions may be `RANDOM()`, and which rows a limit keeps, or a group shows,
  /// depends on the index that SQLite takes. False, too, if it depends on what it selects.
  package func repeatsBase(for prefetch: Prefetch, _ db: Database) throws -> Bool {
    try isBasePlain && !needsSelection && prefetch.parentPath.isEmpty
      && base.value.readsTables(in: db.schema)
  }

  /// The columns of the parents.
  private func layout(of prefetch: Prefetch, in rows: RowBatch) throws -> RowLayout {
    try prefetch.parentPath.reduce(rows.layout) { layout, name in
      guard let scope = layout.scope(named: name) else {
        throw missingColumn(prefetch.parentColumns[0], prefetch)
      }
      return scope
    }
  }

  /// Refuses rows with a null primary key, unless they are rows of nulls: those of right and full
  /// joins. What is computed of an absent record may not be null: optional ones are not checked.
  private func checkKeys(
    of parents: RowBatch, _ layout: RowLayout, _ columns: [Int], _ prefetch: Prefetch
  ) throws {
    for row in 0..<parents.rowCount
    where columns.contains(where: { parents.isNull(row: row, column: $0) }) {
      let isNull = (0..<layout.count).allSatisfy {
        parents.isNull(row: row, column: layout.physicalIndex($0))
      }
      guard !isNull else { continue }
      throw InvalidRequest(
        "including(all:) of \"\(prefetch.key)\" needs the primary key of "
          + "\(prefetch.parentStep.value.relation.source.description), which is null in a row")
    }
  }

  private func columnIndexes(of prefetch: Prefetch, in layout: RowLayout) throws -> [Int] {
    try prefetch.parentColumns.map { column in
      guard let index = layout.index(ofColumn: column) else {
        throw missingColumn(column, prefetch)
      }
      return layout.physicalIndex(index)
    }
  }

  private func missingColumn(_ column: String, _ prefetch: Prefetch) -> InvalidRequest {
    let origin = prefetch.parentStep.value.relation.source.name.quotedDatabaseIdentifier
    return InvalidRequest(
      prefetch.parentColumns.count == 1
        ? "Missing column: \(column)" : "Column \(column) is not selected",
      request: "including(all:) of \"\(prefetch.key)\", from \(origin)",
      details: prefetch.parentPath.isEmpty
        ? prefetch.rowIDAdvice(column)
        : "joins to many rows repeat the records of the request, so that the key is that of "
          + "\(origin): include it with including(required:) or including(optional:)")
  }

  /// - parameter condition: Selects the rows by their keys. Nil to read the keys from the database.
  package func relation(for prefetch: Prefetch, where condition: SQLExpression?) -> Relation {
    if let condition {
      let relation = prefetch.relation(where: .expression(condition))
      return prefetch.hasSlots ? filled(relation) : relation
    }
    let columns = prefetch.keyColumns.map { SQLExpression(.column($0)) }
    let name = "grdb_base"
    let condition = SQLExpression(
      .membership(SQLExpression(.row(columns)), in: .table(name), isNegated: false))
    var relation = prefetch.relation(where: .expression(condition))
    relation.tableExpressions.append(
      TableExpression(
        name: name, columns: nil,
        body: SQLSubquery(.relation(base.value.selectingOnly(prefetch.parentColumns))),
        isRecursive: false))
    return filled(relation)
  }

  /// The relation with the values of the request.
  func filled(_ relation: Relation) -> Relation {
    values.isEmpty ? relation : ValueTransform(change: .filling(values)).map(relation)
  }
}

extension Prefetch {
  /// The way out where the rowid of a table without primary key is missing.
  fileprivate func rowIDAdvice(_ column: String) -> String? {
    guard joinsParent, PrimaryKeyInfo.rowIDNames.contains(where: column.isSameIdentifier) else {
      return nil
    }
    return "the rowid identifies the records of a table without primary key, where the association "
      + "is limited, or its condition is no foreign key, or refers to an alias of the parent, or "
      + "SQLite alone finds its keys equal: select it, too, or declare a primary key"
  }
}

extension Relation {
  /// Whether all rows of tables are read that meet the conditions, and no others.
  fileprivate func readsTables(in schema: some SchemaReader) throws -> Bool {
    guard limit == nil, grouping == nil, tableExpressions.isEmpty,
      case .table(let table) = source, try !schema.isView(table)
    else { return false }
    return try joins.allSatisfy { join in
      if case .limited = join.condition { return false }
      return try join.relation.readsTables(in: schema)
    }
  }

  /// The same rows, with some columns of the source only.
  fileprivate func selectingOnly(_ columns: [String]) -> Relation {
    var relation = selectingNothing
    relation.removeOrdering()
    relation.isDistinct = false
    // Its aliases are those of the prefetch too.
    relation.isCorrelated = true
    relation.selection = [
      .items(columns.map { SQLSelection(.expression(SQLExpression(.column($0)))) })
    ]
    return relation
  }
}

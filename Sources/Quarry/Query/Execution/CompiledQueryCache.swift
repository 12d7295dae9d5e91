// Requests that differ by their values only have one SQL text. So the compiled query of a request
// is remembered by the structure of its tree (`TreeKey`). One walk over the tree writes down the
// structure, and collects the values.
//
// A request takes one of three routes:
//
//     compiled     it is planned and written, and no more than the hash value of its structure is
//                  kept: a closure of the application decides its SQL, or the structure is new
//     remembered   when the structure comes again, the values of the tree get numbers, and the tree
//                  is compiled: the arguments of the text then say which values they are. The
//                  request goes on as a known one
//     known        it costs the walk, a look-up, and the binding of its values
//
// To remember a structure at once would take 10% more instructions of a request that never comes
// again, such as a search with many options.
//
// What can't be remembered, such as SQL that contains values, is remembered as such: these requests
// are compiled each time. The schema decides the SQL too: its version is verified as planning would
// do.

extension SlotKey<CompiledQueryCache> {
  static var compiledQueries: Self { Self(number: 0) }
}

extension Database {
  var compiledQueries: CompiledQueryCache { slots[.compiledQueries] }
}

/// The compiled queries of a connection, by the hash value of their structure: the ones used last
/// are kept.
final class CompiledQueryCache: ConnectionStore {
  @safe @exclusivity(unchecked) private var queries: RecentValues<UInt64, RememberedQuery>
  /// The hash values of structures that came once, each in its place.
  private var met: [UInt64]
  /// The memory of the next key.
  @safe @exclusivity(unchecked) private var idleKey: TreeKey? = TreeKey()
  /// False compiles every request.
  var isEnabled = true

  init(capacity: Int) {
    queries = RecentValues(capacity: capacity)
    met = Array(repeating: 0, count: capacity)
  }

  required convenience init() { self.init(capacity: 256) }

  /// The number of queries that are remembered.
  var count: Int { queries.count }

  override func empty() { queries.removeAll() }

  /// The statement of a request, with its arguments.
  func prepare(
    _ tree: some QueryTree, for purpose: QueryPurpose, _ db: Database
  ) throws -> PreparedRequest {
    // The key is taken out: evaluating a deferred clause may prepare another request.
    var key = idleKey.take() ?? TreeKey()
    do {
      let prepared = try prepare(tree, for: purpose, &key, db)
      reuse(key)
      return prepared
    } catch {
      reuse(key)
      throw error
    }
  }

  private func reuse(_ key: consuming TreeKey) {
    key.restart()
    idleKey = consume key
  }

  private func prepare(
    _ tree: some QueryTree, for purpose: QueryPurpose, _ key: inout TreeKey, _ db: Database
  ) throws -> PreparedRequest {
    key.begin(in: PlanningContext(db))
    purpose.write(to: &key)
    tree.write(to: &key)
    guard isEnabled, !key.isRefused else { return try compile(tree, for: purpose, db) }
    let hash = key.structure.hash
    if let known = queries.value(hash), try known.schema.isCurrent(db),
      key.structure == known.structure
    {
      return try prepare(known, tree, for: purpose, key.values, db)
    }
    guard hasMet(hash) else { return try compile(tree, for: purpose, db) }
    db.statementCounts.plans += 1
    let new = try RememberedQuery(tree, purpose, key, db)
    let prepared = try prepare(new, tree, for: purpose, key.values, db)
    // A request that the guard refuses is not remembered: it is refused each time.
    try db.guardPlan(of: prepared.statement)
    queries.insert(new, hash)
    return prepared
  }

  /// Returns whether a structure has come before.
  private func hasMet(_ hash: UInt64) -> Bool {
    let place = Int(truncatingIfNeeded: hash % UInt64(met.count))
    defer { met[place] = hash }
    return met[place] == hash
  }

  private func compile(
    _ tree: some QueryTree, for purpose: QueryPurpose, _ db: Database
  ) throws -> PreparedRequest {
    db.statementCounts.plans += 1
    let prepared = try db.prepare(
      db.planned { try tree.compiled(for: purpose, in: $0) }, tree.relation(for: purpose))
    try db.guardPlan(of: prepared.statement)
    return prepared
  }

  private func prepare(
    _ known: RememberedQuery, _ tree: some QueryTree, for purpose: QueryPurpose,
    _ values: [DatabaseValue], _ db: Database
  ) throws -> PreparedRequest {
    guard let query = known.query, let statement = try known.statement?.idle(db) else {
      return try compile(tree, for: purpose, db)
    }
    return try statement.releasingOnError { statement in
      try statement.bind(query.text.arguments.values, filling: values)
      let prepared = try PreparedRequest(
        statement: statement, adapter: query.rowScopes,
        prefetch: query.prefetchPlan(filling: values))
      if db.wantsRequestRegions {
        let relation = tree.relation(for: purpose)
        try prepared.attach(known.region(of: statement, relation, db), of: relation, in: db)
      }
      return prepared
    }
  }
}

// Requests that differ by their values only have one SQL text. So the compiled query of a request
// is remembered by the structure of its tree (`TreeKey`). One walk over the tree writes down the
// structure, and collects the values.
//
// When a structure comes for the second time, the values of the tree get numbers, and the tree is
// compiled: the arguments of the text then say which values they are. From the third time on, a
// request costs the walk, a look-up, and the binding of its values. A structure that comes once,
// such as that of a search with many options, leaves no more than a hash value.
//
// The schema decides the SQL too: its version is asked for as planning would do. So do closures of
// the user, with which nothing is remembered.

extension SlotKey<CompiledQueryCache> {
  static var compiledQueries: Self { Self(number: 0) }
}

extension Database {
  var compiledQueries: CompiledQueryCache { slots[.compiledQueries] }
}

/// The compiled queries of a connection, by structure: the ones used last are kept.
final class CompiledQueryCache: ConnectionStore {
  private let capacity: Int
  @safe @exclusivity(unchecked) private var entries: [StructureHash: Entry] = [:]
  /// The hash values of structures that were compiled once, each in its place.
  private var known: [UInt64]
  private var clock: UInt64 = 0
  /// The memory of the next key.
  @safe @exclusivity(unchecked) private var idleKey: TreeKey? = TreeKey()
  /// False compiles every request.
  var isEnabled = true

  private final class Entry {
    let structure: [UInt8]
    /// The arguments of the text are constants, or in slots. Nil for what can't be remembered.
    let query: CompiledQuery?
    let schema: SchemaDependence
    let statement: KeptStatement?
    var lastUse: UInt64 = 0

    init(structure: [UInt8], query: CompiledQuery?, schema: SchemaDependence) {
      self.structure = structure
      self.query = query
      self.schema = schema
      statement = query.map { KeptStatement(sql: $0.text.sql) }
    }

    private var region: (StatementRegion, SchemaDependence)?

    /// What the regions of the requests with the structure have in common.
    func region(
      of statement: Statement, _ relation: Relation?, _ db: Database
    ) throws -> StatementRegion {
      if let (region, schema) = region, try schema.isCurrent(db) { return region }
      let recorded = try SchemaDependence.recording(db) {
        try StatementRegion(statement, relation, in: db)
      }
      region = recorded
      return recorded.0
    }
  }

  init(capacity: Int) {
    self.capacity = capacity
    known = Array(repeating: 0, count: capacity)
  }

  required convenience init() {
    self.init(capacity: 256)
  }

  /// The number of queries that are remembered.
  var count: Int { entries.count }

  override func empty() {
    entries.removeAll()
  }

  /// The statement of a request, with its arguments.
  func prepare(
    _ tree: some QueryTree, for purpose: QueryPurpose, _ db: Database
  ) throws -> PreparedRequest {
    guard isEnabled else { return try compile(tree, for: purpose, db) }
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
    guard !key.isRefused else { return try compile(tree, for: purpose, db) }
    let hash = StructureHash(value: key.structure.hash)
    if let entry = entries[hash], try entry.schema.isCurrent(db), key.structure == entry.structure {
      clock &+= 1
      entry.lastUse = clock
      return try prepare(entry, tree, for: purpose, key.values, db)
    }
    let place = Int(truncatingIfNeeded: hash.value % UInt64(capacity))
    guard known[place] == hash.value else {
      known[place] = hash.value
      return try compile(tree, for: purpose, db)
    }
    let entry = try remember(tree, purpose, key, hash, db)
    return try prepare(entry, tree, for: purpose, key.values, db)
  }

  private func compile(
    _ tree: some QueryTree, for purpose: QueryPurpose, _ db: Database
  ) throws -> PreparedRequest {
    try db.prepare(
      tree.compiled(for: purpose, in: PlanningContext(db)), tree.relation(for: purpose))
  }

  private func prepare(
    _ entry: Entry, _ tree: some QueryTree, for purpose: QueryPurpose, _ values: [DatabaseValue],
    _ db: Database
  ) throws -> PreparedRequest {
    guard let query = entry.query, let statement = try entry.statement?.idle(db) else {
      return try compile(tree, for: purpose, db)
    }
    return try statement.releasingOnError { statement in
      try statement.bind(query.text.arguments.values, filling: values)
      let prepared = try PreparedRequest(
        statement: statement, adapter: query.rowScopes,
        prefetch: query.prefetchPlan(filling: values))
      if db.wantsRequestRegions { try attachRegion(to: prepared, entry, tree, purpose, db) }
      return prepared
    }
  }

  private func attachRegion(
    to prepared: PreparedRequest, _ entry: Entry, _ tree: some QueryTree, _ purpose: QueryPurpose,
    _ db: Database
  ) throws {
    let relation = tree.relation(for: purpose)
    let region = try entry.region(of: prepared.statement, relation, db)
    try prepared.attach(region, of: relation, in: db)
  }
}

extension CompiledQueryCache {
  /// Compiles a request for all those with the same structure.
  private func remember<Tree: QueryTree>(
    _ tree: Tree, _ purpose: QueryPurpose, _ key: borrowing TreeKey, _ hash: StructureHash,
    _ db: Database
  ) throws -> Entry {
    let context = PlanningContext(db)
    let transform = ValueTransform.numbering(in: context)
    let numberedPurpose = purpose.mapped(by: transform)
    let numbered = tree.mapped(by: transform)
    var numberedKey = TreeKey(context: context)
    numberedPurpose.write(to: &numberedKey)
    numbered.write(to: &numberedKey)
    let (query, schema) = try SchemaDependence.recording(db) {
      let query = try numbered.compiled(for: numberedPurpose, in: context)
      query.preparePrefetchesForReuse()
      return query
    }
    let hasSlots = numberedKey.hasSlotsInOrder(count: key.values.count)
    let isRemembered =
      hasSlots && !query.text.arguments.hasNames && !query.text.containsValues
      && query.hasKnownScopes
    let entry = Entry(
      structure: key.structure.array, query: isRemembered ? query : nil, schema: schema)
    insert(entry, hash)
    return entry
  }

  private func insert(_ entry: Entry, _ hash: StructureHash) {
    if entries.count >= capacity { evict() }
    clock &+= 1
    entry.lastUse = clock
    entries[hash] = entry
  }

  /// Evicts the least recently used quarter of the queries at once, so that eviction is rare.
  private func evict() {
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }
    for (hash, _) in oldest.prefix(max(1, capacity / 4)) { entries[hash] = nil }
  }
}

/// The hash value of a structure. A dictionary takes it as it is: to hash it once more takes 120
/// instructions.
private struct StructureHash: Hashable {
  let value: UInt64

  func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }

  func _rawHashValue(seed: Int) -> Int {
    Int(truncatingIfNeeded: value) ^ seed
  }
}

/// The schema that a query was planned for.
struct SchemaDependence {
  /// Whether planning has asked the schema.
  let exists: Bool
  private let generation: Int

  /// False when the query has to be planned again.
  ///
  /// - Throws: the error of the look at the schema: it may have ended the transaction, and planning
  ///   would only report this.
  func isCurrent(_ db: Database) throws -> Bool {
    if exists { try db.schema.verifyOnce() }
    return generation == db.schema.generation
  }

  /// Calls `body`, and notes whether it asks the schema.
  static func recording<T>(
    _ db: Database, _ body: () throws -> T
  ) rethrows -> (T, SchemaDependence) {
    let outer = db.schema.wasAsked
    db.schema.wasAsked = false
    defer { db.schema.wasAsked = db.schema.wasAsked || outer }
    let result = try body()
    return (
      result, SchemaDependence(exists: db.schema.wasAsked, generation: db.schema.generation)
    )
  }
}

extension TreeKey {
  /// Whether all values are in slots, in the order of the walk.
  fileprivate borrowing func hasSlotsInOrder(count: Int) -> Bool {
    let values = values
    guard !isRefused, values.count == count else { return false }
    return values.indices.allSatisfy { Int(values[$0].slot) == $0 + 1 }
  }
}

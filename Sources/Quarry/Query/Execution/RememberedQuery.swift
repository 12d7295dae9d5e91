/// The compiled query of all requests with one structure.
final class RememberedQuery {
  let structure: [UInt8]
  /// The arguments of the text are constants, or in slots. Nil for what can't be remembered.
  let query: CompiledQuery?
  let schema: SchemaDependence
  let statement: KeptStatement?
  private var region: (StatementRegion, generation: Int)?

  /// Compiles a request, for all requests with the same structure.
  init<Tree: QueryTree>(
    _ tree: Tree, _ purpose: QueryPurpose, _ key: borrowing TreeKey, _ db: Database
  ) throws {
    let context = PlanningContext(db)
    let transform = ValueTransform.numbering(in: context)
    let numberedPurpose = purpose.mapped(by: transform)
    let numbered = tree.mapped(by: transform)
    var numberedKey = TreeKey(context: context)
    numberedPurpose.write(to: &numberedKey)
    numbered.write(to: &numberedKey)
    let query: CompiledQuery
    (query, schema) = try SchemaDependence.recording(db) {
      let query = try numbered.compiled(for: numberedPurpose, in: context)
      query.preparePrefetchesForReuse()
      return query
    }
    let count = key.values.count
    let isReusable =
      numberedKey.hasSlotsInOrder(count: count) && query.text.hasSlots(upTo: count)
      && !query.text.arguments.hasNames && !query.text.containsValues && query.hasKnownScopes
    structure = key.structure.array
    self.query = isReusable ? query : nil
    statement = isReusable ? KeptStatement(sql: query.text.sql) : nil
  }

  /// The part of the region that the requests have in common.
  func region(
    of statement: Statement, _ relation: Relation?, _ db: Database
  ) throws -> StatementRegion {
    // Regions have columns of the schema, also where planning has not asked it.
    try db.schema.verifyOnce()
    let generation = db.schema.generation
    if let region, region.generation == generation { return region.0 }
    let current = try StatementRegion(statement, relation, in: db)
    region = (current, generation)
    return current
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

  /// Plans, and notes whether this asks the schema. Plans anew when the schema is found to be
  /// another one between two answers: keys of both would be mixed.
  ///
  /// Where each try ends so, as SQL that does not compile does, the last one is never current.
  static func recording<T>(
    _ db: Database, _ plan: () throws -> T
  ) rethrows -> (T, SchemaDependence) {
    let schema = db.schema
    let (wasAsked, generation) = (schema.wasAsked, schema.answeredGeneration)
    // Planning may be part of other planning.
    defer { if wasAsked { (schema.wasAsked, schema.answeredGeneration) = (true, generation) } }
    var result: (T, SchemaDependence)
    var triesLeft = 3
    repeat {
      schema.wasAsked = false
      schema.answeredGeneration = schema.generation
      result = try (
        plan(), SchemaDependence(exists: schema.wasAsked, generation: schema.answeredGeneration)
      )
      triesLeft -= 1
    } while triesLeft > 0 && result.1.generation != schema.generation
    return result
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

extension SQLText {
  /// Whether the request has values for all slots. A condition that is a closure may have had more
  /// values when it was planned.
  fileprivate func hasSlots(upTo count: Int) -> Bool {
    arguments.values.allSatisfy { Int($0.slot) <= count }
  }
}

extension Relation {
  /// Reports or refuses a request with an order that replaces another one.
  func checkOrder(_ db: Database) throws {
    let treatment = db.configuration.replacedOrders
    if case .allowed = treatment { return }
    let query = try CompiledQuery(self, in: PlanningContext(db))
    let fault = InvalidRequest(
      "An order of the request replaces the one before, which has no effect. To order by several "
        + "terms, give them to one order(…); to replace an order, remove it with unordered().",
      request: query.text.sql)
    guard case .reported(let report) = treatment else { throw fault }
    if db.isFirstReport(of: query.text.sql) { report("\(fault)") }
  }
}

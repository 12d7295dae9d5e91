/// The record with a primary key: no relation is made for it, once its query is remembered.
struct RowByKey: QueryTree {
  let recordType: any _RecordSelection.Type
  let table: String
  private(set) var key: DatabaseValue

  /// Nil for a null, which selects no row.
  init?(_ key: DatabaseValue, of type: any _RecordSelection.Type, in table: String) {
    if key.isNull { return nil }
    self.key = key
    recordType = type
    self.table = table
  }

  func write(to key: inout TreeKey) {
    key.append(kind: 10)
    key.append(table)
    SelectionClause.record(recordType, alias: nil).write(to: &key)
    // Only the key gets a slot.
    if !key.values.isEmpty { key.refuse() }
    key.append(self.key)
  }

  func compiled(for purpose: QueryPurpose, in context: PlanningContext) throws -> CompiledQuery {
    try relation.compiled(for: purpose, in: context)
  }

  var singleRelation: Relation? { relation }

  private var relation: Relation {
    Relation(
      source: .table(table), selection: [.record(recordType, alias: nil)], filters: [.keys([key])])
  }

  func mapped(by transform: ValueTransform) -> RowByKey {
    var row = self
    row.key = transform.map(key)
    return row
  }
}

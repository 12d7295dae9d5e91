/// The record with a primary key: no relation is made for it, once its query is remembered.
struct RowByKey: QueryTree {
  let recordType: any TableRecord.Type
  let table: String
  let key: DatabaseValue

  /// Nil for keys that select no row, and for those that the record type encodes.
  init?<Key: DatabaseValueConvertible>(_ key: Key, of type: any TableRecord.Type) {
    guard !FilterClause.encodesKeys(Key.self) else { return nil }
    self.key = key.databaseValue
    if self.key.isNull { return nil }
    recordType = type
    table = type.databaseTableName
  }

  private init(_ row: RowByKey, key: DatabaseValue) {
    recordType = row.recordType
    table = row.table
    self.key = key
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
    RowByKey(self, key: transform.map(key))
  }
}

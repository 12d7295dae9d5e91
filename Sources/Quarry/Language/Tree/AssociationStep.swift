/// One step of an association: from a source to the next one.
struct AssociationStep: Sendable {
  var key: AssociationKey
  var condition: JoinCondition
  private(set) var sharedRelation: Shared<Relation>
  var isToMany: Bool

  init(key: AssociationKey, condition: JoinCondition, relation: Relation, isToMany: Bool) {
    self.key = key
    self.condition = condition
    sharedRelation = Shared(relation)
    self.isToMany = isToMany
  }

  var relation: Relation {
    _read { yield sharedRelation.value }
    set { sharedRelation = Shared(newValue) }
  }
}

/// One step of an association: from a source to the next one.
package struct AssociationStep: Sendable {
  package var key: AssociationKey
  package var condition: JoinCondition
  private(set) var sharedRelation: Shared<Relation>
  package var isToMany: Bool

  init(key: AssociationKey, condition: JoinCondition, relation: Relation, isToMany: Bool) {
    self.key = key
    self.condition = condition
    sharedRelation = Shared(relation)
    self.isToMany = isToMany
  }

  package var relation: Relation {
    _read { yield sharedRelation.value }
    set { sharedRelation = Shared(newValue) }
  }
}

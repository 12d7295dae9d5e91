/// One step of an association: from a source to the next one.
struct AssociationStep: Sendable {
  var key: AssociationKey
  var condition: JoinCondition
  var relation: Relation
  var isToMany: Bool
}

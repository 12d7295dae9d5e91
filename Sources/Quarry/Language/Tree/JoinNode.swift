/// A source joined to its parent.
///
/// A tree of joins is planned depth first: a join, then its own joins, then the next sibling.
package struct JoinNode: Sendable {
  /// Names the scope in the row and decides merging: two joins with the same key are one.
  var key: String
  /// Whether nothing but aggregates has joined it.
  var isOfAggregates = false
  package var kind: JoinKind
  /// Whether its association is declared to lead to many rows.
  var isToMany = false
  package var condition: JoinCondition
  var sharedRelation: Shared<Relation>

  /// The joined relation: its filters go to the `ON` clause, its selection to the select list.
  package var relation: Relation {
    _read { yield sharedRelation.value }
    set { sharedRelation = Shared(newValue) }
  }
}

extension JoinNode {
  package init(
    key: String, kind: JoinKind, isToMany: Bool = false, condition: JoinCondition,
    relation: Relation
  ) {
    self.init(
      key: key, kind: kind, isToMany: isToMany, condition: condition,
      sharedRelation: Shared(relation))
  }
}

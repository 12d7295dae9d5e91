/// A source joined to its parent.
///
/// A tree of joins is planned depth first: a join, then its own joins, then the next sibling.
struct JoinNode: Sendable {
  /// Names the scope in the row and decides merging: two joins with the same key are one.
  var key: String
  var kind: JoinKind
  var condition: JoinCondition
  /// The joined relation: its filters go to the `ON` clause, its selection to the select list.
  var relation: Relation
}

enum JoinKind: Sendable {
  case inner, left, right, full, cross
}

/// How a joined source relates to its parent.
enum JoinCondition: Sendable {
  case foreignKey(ForeignKeyCondition)
  /// A condition written by the user, or none: joins without foreign key.
  case expression((@Sendable () -> JoinExpression)?)
  /// The joined rows are among the first ones of their parent.
  case top(TopRows)
}

/// The first rows of an association, for each parent.
///
/// A condition on the key of the rows: it is joined, reversed and tested like any other condition.
struct TopRows: Sendable {
  /// From the parent to the rows. Their filters decide which rows there are, their orderings which ones are first.
  var steps: [AssociationStep]
  var limit: Limit
  /// The parent is joined to the rows, and not the rows to the parent.
  var isReversed = false
}

/// A condition on two sources, each designated by an alias of its own.
struct JoinExpression: Sendable {
  var expression: SQLExpression
  /// The source already present.
  var left: TableAliasBase
  /// The joined source.
  var right: TableAliasBase
}

/// A join along a foreign key that is explicit, or found in the schema while planning.
struct ForeignKeyCondition: Sendable, Equatable {
  var originColumns: [String]?
  var destinationColumns: [String]?
  /// True for `belongsTo`: the foreign key is in the parent table.
  var parentIsOrigin: Bool

  /// The same foreign key, followed from the destination of the association to its origin.
  var reversed: ForeignKeyCondition {
    var condition = self
    condition.parentIsOrigin.toggle()
    return condition
  }
}

/// A to-many association that is fetched with a second request.
struct PrefetchNode: Sendable {
  var key: String
  /// From the parent to the destination: pivots first. The last step has the prefetched relation.
  var steps: [AssociationStep]
}

/// One step of an association: from a source to the next one.
struct AssociationStep: Sendable {
  var key: AssociationKey
  var condition: JoinCondition
  var relation: Relation
  var isToMany: Bool
}

/// The singular and plural names of an association.
struct AssociationKey: Sendable {
  var singular: String
  var plural: String

  init(singular: String, plural: String) {
    self.singular = singular
    self.plural = plural
  }

  /// The two forms of a name of unknown number: that of a table.
  init(inflecting name: String) {
    singular = name.singularized
    plural = name.pluralized
  }

  /// A name chosen by the user for a to-one association.
  init(singular name: String) {
    singular = name
    plural = name.pluralized
  }

  /// A name chosen by the user for a to-many association.
  init(plural name: String) {
    singular = name.singularized
    plural = name
  }
}

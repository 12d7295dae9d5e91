/// The first rows of an association, for each parent.
///
/// A condition on the key of the rows: it is joined, reversed and tested like any other condition.
package struct LimitedAssociation: Sendable {
  /// From the parent to the rows. Their filters decide which rows there are, their orderings which
  /// ones are first.
  var steps: [AssociationStep]
  var limit: Limit
  /// The parent is joined to the rows, and not the rows to the parent.
  var isReversed = false
}

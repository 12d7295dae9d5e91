/// A join along a foreign key that is explicit, or found in the schema while planning.
package struct ForeignKeyCondition: Sendable, Equatable {
  package var originColumns: [String]?
  var destinationColumns: [String]?
  /// True for `belongsTo`: the foreign key is in the parent table.
  package var parentIsOrigin: Bool
  /// Whether it is followed from the destination of the association to its origin.
  var isReversed = false
  /// Whether the columns of the origin of the association stand on the left of `=`, where they
  /// decide the collation: without it, those of its destination do.
  var parentCompares = false

  package static func == (lhs: ForeignKeyCondition, rhs: ForeignKeyCondition) -> Bool {
    lhs.parentIsOrigin == rhs.parentIsOrigin && lhs.isReversed == rhs.isReversed
      && lhs.parentCompares == rhs.parentCompares
      && lhs.originColumns.hasSameTexts(as: rhs.originColumns)
      && lhs.destinationColumns.hasSameTexts(as: rhs.destinationColumns)
  }

  /// The same foreign key, followed from the destination of the association to its origin.
  var reversed: ForeignKeyCondition {
    var condition = self
    condition.parentIsOrigin.toggle()
    condition.isReversed.toggle()
    return condition
  }
}

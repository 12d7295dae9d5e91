/// How a joined source relates to its parent.
package enum JoinCondition: Sendable {
  case foreignKey(ForeignKeyCondition)
  /// A condition written by the user, or none: joins without foreign key.
  case expression((@Sendable () -> JoinExpression)?)
  /// The joined rows are among the first ones of their parent.
  case limited(LimitedAssociation)
}

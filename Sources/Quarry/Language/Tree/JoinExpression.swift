/// A condition on two sources, each designated by an alias of its own.
package struct JoinExpression: Sendable {
  var expression: SQLExpression
  /// The source already present.
  var left: TableAliasBase
  /// The joined source.
  var right: TableAliasBase
}

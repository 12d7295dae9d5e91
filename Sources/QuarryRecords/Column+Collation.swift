import Quarry

extension Column {
  /// The column, compared with a collation that a table declares.
  func compared(by collation: String) -> SQLExpression {
    collating(Database.CollationName(rawValue: collation))
  }
}

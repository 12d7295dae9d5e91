// Sources whose rows are computed: table functions, and subqueries.

extension Source {
  /// Whether the arguments of a table function contain columns of the source that it is joined to.
  var isFunctionOfParent: Bool {
    guard case .function(_, let arguments) = self else { return false }
    return arguments.contains(where: \.hasColumnsOfSource)
  }

  /// Checks a source that is joined to none.
  func checkStandsAlone() throws {
    guard isFunctionOfParent else { return }
    throw InvalidRequest(
      "The arguments of the \(description) contain columns of the source that it is joined to, "
        + "but it begins a request. To fix this error, join it with association(to:), or refer "
        + "to the source with a TableAlias.")
  }
}

extension Source {
  /// Checks a source whose rows are kept where none of the other side matches.
  func checkKeepsRows() throws {
    guard isFunctionOfParent else { return }
    throw InvalidRequest(
      "The \(description) can't be in a right or full join: its arguments contain columns of the "
        + "other side. To fix this error, use a required or optional association.")
  }
}

extension SQLExpression {
  /// Whether a column that no alias qualifies is inside.
  fileprivate var hasColumnsOfSource: Bool {
    guard fitsStack else { return true }
    let traits = node.traits
    if traits.contains(.hasNoColumnsOfSource) { return false }
    return traits.contains(.belongsToSource) || containsChild(where: \.hasColumnsOfSource)
  }
}

extension Relation {
  /// Checks that joins which share an association key lead to the same rows, along one condition.
  func checkMerges(key: String, in context: PlanningContext) throws {
    for other in mergedSources where !source.isSame(as: other, in: context) {
      throw InvalidRequest.ambiguousAssociationKey(
        key, "Two associations lead to different rows of the \(source.description).")
    }
    guard mergedConditions.areSame(in: context) else {
      throw InvalidRequest.ambiguousAssociationKey(
        key, "Two associations lead to the \(source.description), along different conditions.")
    }
  }
}

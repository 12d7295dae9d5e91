/// The query of a request, as a value. Not for applications.
public struct _RelationStorage: Sendable {
  var relation: Relation
}

/// A request that wraps a relation, whose clauses its methods change. Not for applications.
public protocol _RelationRequest {
  /// The relation.
  var _relation: _RelationStorage { get set }
}

extension _RelationRequest {
  /// A chain of methods consumes each request, so that all of them change one relation.
  package consuming func mapRelation(_ change: (inout Relation) -> Void) -> Self {
    change(&_relation.relation)
    return self
  }
}

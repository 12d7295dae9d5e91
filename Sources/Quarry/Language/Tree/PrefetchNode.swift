/// A to-many association that is fetched with a second request.
struct PrefetchNode: Sendable {
  var key: String
  /// From the parent to the destination: pivots first. The last step has the prefetched relation.
  var steps: [AssociationStep]
}

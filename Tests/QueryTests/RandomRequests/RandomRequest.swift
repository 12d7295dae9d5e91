/// A column of a node.
struct RandomReference {
  var node: Int
  var column: Int
}

/// A condition, as it stands in ON, WHERE.
indirect enum RandomPredicate {
  enum Comparison: CaseIterable {
    case equal, different, less, lessOrEqual, greater, greaterOrEqual
  }

  case compare(RandomReference, Comparison, RandomValue)
  case compareColumns(RandomReference, Comparison, RandomReference)
  case isNull(RandomReference)
  case isIn(RandomReference, [RandomValue])
  case and(RandomPredicate, RandomPredicate)
  case or(RandomPredicate, RandomPredicate)
  case not(RandomPredicate)
}

/// A term of ORDER BY.
struct RandomOrderTerm {
  enum Direction: CaseIterable {
    case plain, ascending, descending, ascendingNullsLast, descendingNullsFirst
  }

  var reference: RandomReference
  var direction: Direction
}

/// An aggregate of an association.
enum RandomAggregate {
  case count, isEmpty
  case min(Int)
  case max(Int)
  case sum(Int)
  case average(Int)
  case total(Int)
}

/// A source of a request: its root, or a step of an association.
struct RandomNode {
  enum Kind {
    case root, belongsTo, hasOne, hasMany

    var isToMany: Bool { self == .hasMany }
  }

  /// Unique in a request.
  var id: Int
  var table: Int
  var kind = Kind.root
  /// The link that the step follows: from the origin to the destination for `belongsTo`.
  var link = 0
  var key = ""
  /// All columns when nil.
  var selection: [Int]?
  var filters: [RandomPredicate] = []
  var order: [RandomOrderTerm] = []
  var isReversed = false
  var isDistinct = false
  /// Aggregates are computed in subqueries of their own.
  var isolatesAggregates = false
  var limit: (count: Int, offset: Int?)?
  /// In the order of the calls.
  var items: [RandomItem] = []
  /// Whether the alias designates another node: the record that is picked out of those of this one.
  var leavesAlias = false
  /// Whether filters are given before the items.
  var startsWithFilters = false
}

/// An association: the last step is the destination.
struct RandomAssociation {
  var steps: [RandomNode]
  /// How two and more steps are nested.
  var nestsOnTheLeft = false
  /// Whether the destination is refined before it is used, or the association as a whole.
  var refinesTheTarget = false
  /// A number of filters and items that a first call has alone, before the whole is merged into it.
  var first: (filters: Int, items: Int, hasOrder: Bool)?

  /// The first or last record only: a to-one association. What the destination joins comes behind
  /// it.
  var pick: Pick?

  enum Pick: CaseIterable {
    case first, last
  }

  var destination: RandomNode {
    get { steps[steps.count - 1] }
    set { steps[steps.count - 1] = newValue }
  }

  var isToMany: Bool { steps.contains { $0.kind.isToMany } }

  /// Whether the destination refers to the alias of the request it is prefetched for.
  var refersToItsParent = false
}

/// What is joined, prefetched, or added to a node.
enum RandomItem {
  case join(RandomAssociation, isRequired: Bool, isIncluded: Bool)
  /// The destination selects one column, which is given a name.
  case annotate(RandomAssociation, isRequired: Bool, name: String)
  case prefetch(RandomAssociation)
  case aggregates(RandomAssociation, [(RandomAggregate, name: String)])
  case having(RandomAssociation, RandomAggregate, RandomPredicate.Comparison, Int64)

  var association: RandomAssociation {
    switch self {
    case .join(let association, _, _), .annotate(let association, _, _),
      .prefetch(let association), .aggregates(let association, _),
      .having(let association, _, _, _):
      association
    }
  }
}

/// The alias of a node.
enum RandomAlias {
  case none, anonymous
  case named(String)
}

/// A tree of nodes.
struct RandomRequest {
  var root: RandomNode
  /// The table of each node.
  var tables: [Int]
  /// The alias of each node.
  var aliases: [RandomAlias]
}

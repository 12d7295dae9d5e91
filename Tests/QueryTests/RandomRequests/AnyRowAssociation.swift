import Quarry

/// An association to rows, of any kind.
enum AnyRowAssociation<Origin> {
  case belongsTo(BelongsToAssociation<Origin, Row>)
  case hasOne(HasOneAssociation<Origin, Row>)
  case hasMany(HasManyAssociation<Origin, Row>)
  case hasOneThrough(HasOneThroughAssociation<Origin, Row>)
  case hasManyThrough(HasManyThroughAssociation<Origin, Row>)

  func accept<V: RowAssociationVisitor<Origin>>(_ visitor: V) -> V.Result {
    switch self {
    case .belongsTo(let association): visitor.visit(association)
    case .hasOne(let association): visitor.visit(association)
    case .hasMany(let association): visitor.visit(association)
    case .hasOneThrough(let association): visitor.visit(association)
    case .hasManyThrough(let association): visitor.visit(association)
    }
  }

  func accept(_ change: some RowAssociationChange) -> AnyRowAssociation {
    switch self {
    case .belongsTo(let association): .belongsTo(change.apply(to: association))
    case .hasOne(let association): .hasOne(change.apply(to: association))
    case .hasMany(let association): .hasMany(change.apply(to: association))
    case .hasOneThrough(let association): .hasOneThrough(change.apply(to: association))
    case .hasManyThrough(let association): .hasManyThrough(change.apply(to: association))
    }
  }

  /// Nil for a to-one association.
  func accept<V: ToManyVisitor<Origin>>(toMany visitor: V) -> V.Result? {
    switch self {
    case .belongsTo, .hasOne, .hasOneThrough: nil
    case .hasMany(let association): visitor.visit(association)
    case .hasManyThrough(let association): visitor.visit(association)
    }
  }

  /// The first or last record of a to-many association.
  func picked(_ pick: RandomAssociation.Pick) -> AnyRowAssociation {
    switch self {
    case .belongsTo, .hasOne, .hasOneThrough: self
    case .hasMany(let association):
      .hasOne(pick == .first ? association.first() : association.last())
    case .hasManyThrough(let association):
      .hasOneThrough(pick == .first ? association.first() : association.last())
    }
  }

  func limited(_ limit: (count: Int, offset: Int?)?) -> AnyRowAssociation {
    guard let limit else { return self }
    return switch self {
    case .belongsTo, .hasOne, .hasOneThrough: self
    case .hasMany(let association):
      .hasMany(association.limit(limit.count, offset: limit.offset))
    case .hasManyThrough(let association):
      .hasManyThrough(association.limit(limit.count, offset: limit.offset))
    }
  }

  func through(
    _ target: AnyRowAssociation<Row>, from origin: Table<Origin>, isToOne: Bool
  ) -> AnyRowAssociation {
    guard isToOne else { return accept(ThroughMany(origin: origin, target: target)) }
    switch self {
    case .belongsTo(let pivot): return target.throughOne(pivot, from: origin)
    case .hasOne(let pivot): return target.throughOne(pivot, from: origin)
    case .hasOneThrough(let pivot): return target.throughOne(pivot, from: origin)
    case .hasMany, .hasManyThrough:
      preconditionFailure("a to-one association goes through to-one associations")
    }
  }
}

extension AnyRowAssociation<Row> {
  fileprivate func throughOne<P: AssociationToOne>(
    _ pivot: P, from origin: Table<P.OriginRowDecoder>
  ) -> AnyRowAssociation<P.OriginRowDecoder> where P.RowDecoder == Row {
    switch self {
    case .belongsTo(let target):
      return .hasOneThrough(origin.hasOne(Row.self, through: pivot, using: target))
    case .hasOne(let target):
      return .hasOneThrough(origin.hasOne(Row.self, through: pivot, using: target))
    case .hasOneThrough(let target):
      return .hasOneThrough(origin.hasOne(Row.self, through: pivot, using: target))
    case .hasMany, .hasManyThrough:
      preconditionFailure("a to-one association uses to-one associations")
    }
  }
}

protocol RowAssociationVisitor<Origin> {
  associatedtype Origin
  associatedtype Result
  func visit<A: Association>(_ association: A) -> Result
  where A.OriginRowDecoder == Origin, A.RowDecoder == Row
}

protocol ToManyVisitor<Origin> {
  associatedtype Origin
  associatedtype Result
  func visit<A: AssociationToMany>(_ association: A) -> Result
  where A.OriginRowDecoder == Origin, A.RowDecoder == Row
}

protocol RowAssociationChange {
  func apply<A: Association>(to association: A) -> A where A.RowDecoder == Row
}

private struct ThroughMany<Origin>: RowAssociationVisitor {
  let origin: Table<Origin>
  let target: AnyRowAssociation<Row>

  func visit<A: Association>(_ pivot: A) -> AnyRowAssociation<Origin>
  where A.OriginRowDecoder == Origin, A.RowDecoder == Row {
    target.accept(UsingMany(origin: origin, pivot: pivot))
  }
}

private struct UsingMany<P: Association>: RowAssociationVisitor where P.RowDecoder == Row {
  typealias Origin = Row

  let origin: Table<P.OriginRowDecoder>
  let pivot: P

  func visit<A: Association>(_ target: A) -> AnyRowAssociation<P.OriginRowDecoder>
  where A.OriginRowDecoder == Row, A.RowDecoder == Row {
    .hasManyThrough(origin.hasMany(Row.self, through: pivot, using: target))
  }
}

struct Naming: RowAssociationChange {
  let key: String

  func apply<A: Association>(to association: A) -> A where A.RowDecoder == Row {
    association.forKey(key)
  }
}

import Quarry

/// An association between rows, of any kind.
enum AnyRowAssociation {
  case belongsTo(BelongsToAssociation<Row, Row>)
  case hasOne(HasOneAssociation<Row, Row>)
  case hasMany(HasManyAssociation<Row, Row>)
  case hasOneThrough(HasOneThroughAssociation<Row, Row>)
  case hasManyThrough(HasManyThroughAssociation<Row, Row>)

  func accept<V: RowAssociationVisitor>(_ visitor: V) -> V.Result {
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
  func accept<V: ToManyVisitor>(toMany visitor: V) -> V.Result? {
    switch self {
    case .belongsTo, .hasOne, .hasOneThrough: nil
    case .hasMany(let association): visitor.visit(association)
    case .hasManyThrough(let association): visitor.visit(association)
    }
  }

  func through(
    _ target: AnyRowAssociation, from origin: Table<Row>, isToOne: Bool
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

  private func throughOne<P: AssociationToOne>(
    _ pivot: P, from origin: Table<Row>
  ) -> AnyRowAssociation where P.OriginRowDecoder == Row, P.RowDecoder == Row {
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

protocol RowAssociationVisitor {
  associatedtype Result
  func visit<A: Association>(_ association: A) -> Result
  where A.OriginRowDecoder == Row, A.RowDecoder == Row
}

protocol ToManyVisitor {
  associatedtype Result
  func visit<A: AssociationToMany>(_ association: A) -> Result
  where A.OriginRowDecoder == Row, A.RowDecoder == Row
}

protocol RowAssociationChange {
  func apply<A: Association>(to association: A) -> A
  where A.OriginRowDecoder == Row, A.RowDecoder == Row
}

private struct ThroughMany: RowAssociationVisitor {
  let origin: Table<Row>
  let target: AnyRowAssociation

  func visit<A: Association>(_ pivot: A) -> AnyRowAssociation
  where A.OriginRowDecoder == Row, A.RowDecoder == Row {
    target.accept(UsingMany(origin: origin, pivot: pivot))
  }
}

private struct UsingMany<P: Association>: RowAssociationVisitor
where P.OriginRowDecoder == Row, P.RowDecoder == Row {
  let origin: Table<Row>
  let pivot: P

  func visit<A: Association>(_ target: A) -> AnyRowAssociation
  where A.OriginRowDecoder == Row, A.RowDecoder == Row {
    .hasManyThrough(origin.hasMany(Row.self, through: pivot, using: target))
  }
}

struct Naming: RowAssociationChange {
  let key: String

  func apply<A: Association>(to association: A) -> A
  where A.OriginRowDecoder == Row, A.RowDecoder == Row {
    association.forKey(key)
  }
}

// Associations from tables without record type: see the methods of the same names of TableRecord.

extension Table {
  /// See ``TableRecord/belongsTo(_:key:using:)-(Destination.Type,_,_)``.
  public func belongsTo<Destination: TableRecord>(
    _ destination: Destination.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<RowDecoder, Destination> {
    BelongsToAssociation(to: Destination.all().relation, key: key, using: foreignKey)
  }

  /// See ``TableRecord/hasMany(_:key:using:)-(Destination.Type,_,_)``.
  public func hasMany<Destination: TableRecord>(
    _ destination: Destination.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: Destination.all().relation, key: key, using: foreignKey)
  }

  /// See ``TableRecord/hasOne(_:key:using:)-(Destination.Type,_,_)``.
  public func hasOne<Destination: TableRecord>(
    _ destination: Destination.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<RowDecoder, Destination> {
    HasOneAssociation(to: Destination.all().relation, key: key, using: foreignKey)
  }

  /// See ``TableRecord/belongsTo(_:key:using:)-(Destination.Type,_,_)``.
  public func belongsTo<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<RowDecoder, Destination> {
    BelongsToAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }

  /// See ``TableRecord/hasMany(_:key:using:)-(Destination.Type,_,_)``.
  public func hasMany<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }

  /// See ``TableRecord/hasOne(_:key:using:)-(Destination.Type,_,_)``.
  public func hasOne<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<RowDecoder, Destination> {
    HasOneAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }

  /// See ``TableRecord/hasMany(_:through:using:key:)``.
  public func hasMany<Pivot: Association, Target: Association>(
    _ destination: Target.RowDecoder.Type, through pivot: Pivot, using target: Target,
    key: String? = nil
  ) -> HasManyThroughAssociation<RowDecoder, Target.RowDecoder>
  where Pivot.OriginRowDecoder == RowDecoder, Pivot.RowDecoder == Target.OriginRowDecoder {
    HasManyThroughAssociation(
      through: pivot._association, using: target._association, key: key)
  }

  /// See ``TableRecord/hasOne(_:through:using:key:)``.
  public func hasOne<Pivot: AssociationToOne, Target: AssociationToOne>(
    _ destination: Target.RowDecoder.Type, through pivot: Pivot, using target: Target,
    key: String? = nil
  ) -> HasOneThroughAssociation<RowDecoder, Target.RowDecoder>
  where Pivot.OriginRowDecoder == RowDecoder, Pivot.RowDecoder == Target.OriginRowDecoder {
    HasOneThroughAssociation(
      through: pivot._association, using: target._association, key: key)
  }
}

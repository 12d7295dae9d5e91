// Written by Scripts/generate, from Table+Associations.swift: change that file.

extension Table {
  /// An association to a table without record type. See
  /// ``belongsTo(_:key:using:)-(Destination.Type,_,_)``.
  public func belongsTo<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<RowDecoder, Destination> {
    BelongsToAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }

  /// An association to a table without record type. See
  /// ``hasMany(_:key:using:)-(Destination.Type,_,_)``.
  public func hasMany<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<RowDecoder, Destination> {
    HasManyAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }

  /// An association to a table without record type. See
  /// ``hasOne(_:key:using:)-(Destination.Type,_,_)``.
  public func hasOne<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<RowDecoder, Destination> {
    HasOneAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }
}

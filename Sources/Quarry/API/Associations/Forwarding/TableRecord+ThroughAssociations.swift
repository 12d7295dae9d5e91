// Factories of indirect associations, and of associations to common table expressions.

extension TableRecord {
  /// The association from a record to many others, through the records of a third type.
  ///
  /// ```swift
  /// struct Country: TableRecord {
  ///   static let passports = hasMany(Passport.self)
  ///   static let citizens = hasMany(Citizen.self, through: passports, using: Passport.citizen)
  /// }
  /// ```
  ///
  /// - parameter destination: The type of the records at the end of the association.
  /// - parameter pivot: The association to the records in between.
  /// - parameter target: The association from the records in between to the destination.
  /// - parameter key: The key of the association: by default, the one of `target`, in the plural.
  public static func hasMany<Pivot: Association, Target: Association>(
    _ destination: Target.RowDecoder.Type, through pivot: Pivot, using target: Target,
    key: String? = nil
  ) -> HasManyThroughAssociation<Self, Target.RowDecoder>
  where Pivot.OriginRowDecoder == Self, Pivot.RowDecoder == Target.OriginRowDecoder {
    HasManyThroughAssociation(
      through: pivot._association, using: target._association, key: key)
  }

  /// The association from a record to another one, through a record of a third type.
  ///
  /// ```swift
  /// struct Book: TableRecord {
  ///   static let library = belongsTo(Library.self)
  ///   static let returnAddress = hasOne(Address.self, through: library, using: Library.address)
  /// }
  /// ```
  ///
  /// - parameter destination: The type of the records at the end of the association.
  /// - parameter pivot: The association to the records in between.
  /// - parameter target: The association from the records in between to the destination.
  /// - parameter key: The key of the association: by default, the one of `target`, in the singular.
  public static func hasOne<Pivot: AssociationToOne, Target: AssociationToOne>(
    _ destination: Target.RowDecoder.Type, through pivot: Pivot, using target: Target,
    key: String? = nil
  ) -> HasOneThroughAssociation<Self, Target.RowDecoder>
  where Pivot.OriginRowDecoder == Self, Pivot.RowDecoder == Target.OriginRowDecoder {
    HasOneThroughAssociation(
      through: pivot._association, using: target._association, key: key)
  }
}

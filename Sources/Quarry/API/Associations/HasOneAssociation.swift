/// The association from a record to the one record that refers to it.
///
/// ```swift
/// struct Country: TableRecord {
///   static let profile = hasOne(Profile.self)
/// }
///
/// // SELECT "country".*, "profile".* FROM "country"
/// // LEFT JOIN "profile" ON "profile"."countryCode" = "country"."code"
/// Country.including(optional: Country.profile)
/// ```
public struct HasOneAssociation<Origin, Destination>: AssociationToOne {
  /// The type of the records that are referred to.
  public typealias OriginRowDecoder = Origin

  /// The type of the records that hold the foreign key.
  public typealias RowDecoder = Destination

  /// The steps of the association. Not for applications.
  public var _association: _AssociationStorage

  init(to relation: Relation, key: String?, using foreignKey: ForeignKey?) {
    _association = _AssociationStorage(
      to: relation, key.map(AssociationKey.init(singular:)),
      on: JoinCondition(foreignKey, parentIsOrigin: false))
  }

  init(_ association: _AssociationStorage) { _association = association }
}

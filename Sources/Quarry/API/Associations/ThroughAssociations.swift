/// The association from a record to many others, through the records of a third type.
///
/// ```swift
/// struct Country: TableRecord {
///   static let passports = hasMany(Passport.self)
///   static let citizens = hasMany(Citizen.self, through: passports, using: Passport.citizen)
/// }
///
/// // SELECT "country".*, "citizen".* FROM "country"
/// // LEFT JOIN "passport" ON "passport"."countryCode" = "country"."code"
/// // LEFT JOIN "citizen" ON "citizen"."id" = "passport"."citizenId"
/// Country.including(optional: Country.citizens)
/// ```
public struct HasManyThroughAssociation<Origin, Destination>: AssociationToMany {
  /// The type of the records that the association starts from.
  public typealias OriginRowDecoder = Origin

  /// The type of the records at the end of the association.
  public typealias RowDecoder = Destination

  /// The steps of the association. Not for applications.
  public var _association: _AssociationStorage

  init(through pivot: _AssociationStorage, using target: _AssociationStorage, key: String?) {
    _association = _AssociationStorage(through: pivot, using: target)
    if let key { _association.destination.key = AssociationKey(plural: key) }
  }
}

/// The association from a record to another one, through a record of a third type.
///
/// ```swift
/// struct Book: TableRecord {
///   static let library = belongsTo(Library.self)
///   static let returnAddress = hasOne(Address.self, through: library, using: Library.address)
/// }
///
/// // SELECT "book".*, "address".* FROM "book"
/// // LEFT JOIN "library" ON "library"."id" = "book"."libraryId"
/// // LEFT JOIN "address" ON "address"."libraryId" = "library"."id"
/// Book.including(optional: Book.returnAddress)
/// ```
public struct HasOneThroughAssociation<Origin, Destination>: AssociationToOne {
  /// The type of the records that the association starts from.
  public typealias OriginRowDecoder = Origin

  /// The type of the records at the end of the association.
  public typealias RowDecoder = Destination

  /// The steps of the association. Not for applications.
  public var _association: _AssociationStorage

  init(through pivot: _AssociationStorage, using target: _AssociationStorage, key: String?) {
    _association = _AssociationStorage(through: pivot, using: target)
    if let key { _association.destination.key = AssociationKey(singular: key) }
  }

  init(_ association: _AssociationStorage) { _association = association }
}

extension _AssociationStorage {
  fileprivate init(through pivot: _AssociationStorage, using target: _AssociationStorage) {
    // Limits are those of the associations that have them: per parent, and per pivot.
    let pivot = pivot.isLimited ? pivot.top : pivot
    let target = target.isLimited ? target.top : target
    self.init(pivots: pivot.steps + target.pivots, destination: target.destination)
  }
}

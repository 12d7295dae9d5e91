// Written by Scripts/generate, from Table+Associations.swift: change that file.

extension TableRecord {
  /// The association from the records that hold a foreign key to the records that it refers to.
  ///
  /// ```swift
  /// struct Book: TableRecord {
  ///   static let author = belongsTo(Author.self)
  /// }
  /// ```
  ///
  /// - parameter destination: The type of the records that the foreign key refers to.
  /// - parameter key: The key of the association: by default, the name of the table, in the
  ///   singular.
  /// - parameter foreignKey: The foreign key, if the schema declares none, or several.
  public static func belongsTo<Destination: TableRecord>(
    _ destination: Destination.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<Self, Destination> {
    BelongsToAssociation(to: Destination.all().relation, key: key, using: foreignKey)
  }

  /// The association from a record to the records that refer to it.
  ///
  /// ```swift
  /// struct Author: TableRecord {
  ///   static let books = hasMany(Book.self)
  /// }
  /// ```
  ///
  /// - parameter destination: The type of the records that hold the foreign key.
  /// - parameter key: The key of the association: by default, the name of the table, in the plural.
  /// - parameter foreignKey: The foreign key, if the schema declares none, or several.
  public static func hasMany<Destination: TableRecord>(
    _ destination: Destination.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<Self, Destination> {
    HasManyAssociation(to: Destination.all().relation, key: key, using: foreignKey)
  }

  /// The association from a record to the one record that refers to it.
  ///
  /// ```swift
  /// struct Country: TableRecord {
  ///   static let profile = hasOne(Profile.self)
  /// }
  /// ```
  ///
  /// - parameter destination: The type of the records that hold the foreign key.
  /// - parameter key: The key of the association: by default, the name of the table, in the
  ///   singular.
  /// - parameter foreignKey: The foreign key, if the schema declares none, or several.
  public static func hasOne<Destination: TableRecord>(
    _ destination: Destination.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<Self, Destination> {
    HasOneAssociation(to: Destination.all().relation, key: key, using: foreignKey)
  }

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

extension TableRecord {
  /// An association to a table without record type. See
  /// ``belongsTo(_:key:using:)-(Destination.Type,_,_)``.
  public static func belongsTo<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> BelongsToAssociation<Self, Destination> {
    BelongsToAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }

  /// An association to a table without record type. See
  /// ``hasMany(_:key:using:)-(Destination.Type,_,_)``.
  public static func hasMany<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasManyAssociation<Self, Destination> {
    HasManyAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }

  /// An association to a table without record type. See
  /// ``hasOne(_:key:using:)-(Destination.Type,_,_)``.
  public static func hasOne<Destination>(
    _ destination: Table<Destination>, key: String? = nil, using foreignKey: ForeignKey? = nil
  ) -> HasOneAssociation<Self, Destination> {
    HasOneAssociation(to: destination.all().relation, key: key, using: foreignKey)
  }
}

// Factories of direct associations.

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

/// A link from a type of records to another one.
///
/// | association | for example | factory |
/// | --- | --- | --- |
/// | ``BelongsToAssociation`` | a book belongs to its author | `belongsTo(Author.self)` |
/// | ``HasManyAssociation`` | an author has many books | `hasMany(Book.self)` |
/// | ``HasOneAssociation`` | a country has one profile | `hasOne(Profile.self)` |
/// | ``HasManyThroughAssociation`` | a country has many citizens, through passports | `hasMany(Citizen.self, through: passports, using: Passport.citizen)` |
/// | ``HasOneThroughAssociation`` | a book has one address, through its library | `hasOne(Address.self, through: library, using: Library.address)` |
/// | ``JoinAssociation`` | a chat and its latest message, from a common table expression | `association(to: latestMessage, on: …)` |
///
/// An association is filtered, ordered and joined like a request:
///
/// ```swift
/// // SELECT "book".*, "author".* FROM "book"
/// // JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?)
/// Book.including(required: Book.author.filter(Column("country") == "FR"))
/// ```
public protocol Association: DerivableRequest, Sendable {
  /// The type of the records that the association starts from.
  associatedtype OriginRowDecoder

  /// The steps of the association. Not for applications.
  var _association: _AssociationStorage { get set }

  /// The association with another key.
  ///
  /// The key names the associated records in the fetched rows. Two associations with the same key,
  /// in one request, are one join: their filters add up, and their foreign keys, or conditions of
  /// `association(to:on:)`, must be the same.
  ///
  /// ```swift
  /// // Rows have a scope "writer"
  /// Book.including(required: Book.author.forKey("writer"))
  /// ```
  func forKey(_ key: String) -> Self
}

/// The parts of an association, as a value. Not for applications.
public struct _AssociationStorage: Sendable {
  /// The steps before the last one: none for a direct association.
  var pivots: [AssociationStep] = []
  package var destination: AssociationStep

  package var steps: [AssociationStep] { pivots + [destination] }
}

extension _AssociationStorage {
  /// One step, whose default key is the name of the table.
  init(
    to relation: Relation, _ key: AssociationKey?, on condition: JoinCondition,
    isToMany: Bool = false
  ) {
    destination = AssociationStep(
      key: key ?? AssociationKey(inflecting: relation.source.name), condition: condition,
      relation: relation, isToMany: isToMany)
  }
}

extension Association {
  /// The relation of the destination. Not for applications.
  public var _relation: _RelationStorage {
    get { _RelationStorage(relation: _association.destination.relation) }
    set { _association.destination.relation = newValue.relation }
  }

  /// The association with another key. See ``forKey(_:)-(String)``.
  public func forKey(_ key: some CodingKey) -> Self { forKey(key.stringValue) }

  /// Removes the ordering, that of the records in between included.
  public func unordered() -> Self {
    var association = self
    association._association.destination.relation.removeOrdering()
    for index in association._association.pivots.indices {
      association._association.pivots[index].relation.removeOrdering()
    }
    return association
  }

  func withKey(_ key: AssociationKey) -> Self {
    var association = self
    association._association.destination.key = key
    return association
  }
}

/// An association to one record at most.
public protocol AssociationToOne: Association {}

extension AssociationToOne {
  /// The association with another key, in the singular. See ``Association/forKey(_:)-(String)``.
  public func forKey(_ key: String) -> Self { withKey(AssociationKey(singular: key)) }
}

/// An association to any number of records.
public protocol AssociationToMany: Association {}

extension AssociationToMany {
  /// The association with another key, in the plural. See ``Association/forKey(_:)-(String)``.
  public func forKey(_ key: String) -> Self { withKey(AssociationKey(plural: key)) }
}

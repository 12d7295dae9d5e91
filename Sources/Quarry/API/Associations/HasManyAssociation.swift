/// The association from a record to the records that refer to it.
///
/// ```swift
/// struct Author: TableRecord {
///   static let books = hasMany(Book.self)
/// }
///
/// // SELECT * FROM "author"
/// // SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (1, 2, 3)
/// Author.including(all: Author.books)
/// ```
public struct HasManyAssociation<Origin, Destination>: AssociationToMany {
  /// The type of the records that are referred to.
  public typealias OriginRowDecoder = Origin

  /// The type of the records that hold the foreign key.
  public typealias RowDecoder = Destination

  /// The steps of the association. Not for applications.
  public var _association: _AssociationStorage

  init(to relation: Relation, key: String?, using foreignKey: ForeignKey?) {
    self.init(
      to: relation, key: key, condition: JoinCondition(foreignKey, parentIsOrigin: false))
  }

  /// - parameter expression: the condition on both sides.
  init(
    to relation: Relation, key: String?,
    on expression: @escaping JoinAssociation<Origin, Destination>.Condition
  ) { self.init(to: relation, key: key, condition: JoinCondition(expression)) }

  init(to relation: Relation, key: String?, condition: JoinCondition) {
    _association = _AssociationStorage(
      to: relation, key.map(AssociationKey.init(plural:)), on: condition, isToMany: true)
  }
}

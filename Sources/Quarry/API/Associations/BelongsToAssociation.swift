/// The association from the records that hold a foreign key to the records that it refers to.
///
/// ```swift
/// struct Book: TableRecord {
///   static let author = belongsTo(Author.self)
/// }
///
/// // SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId"
/// Book.including(required: Book.author)
/// ```
public struct BelongsToAssociation<Origin, Destination>: AssociationToOne {
  /// The type of the records that hold the foreign key.
  public typealias OriginRowDecoder = Origin

  /// The type of the records that the foreign key refers to.
  public typealias RowDecoder = Destination

  /// The steps of the association. Not for applications.
  public var _association: _AssociationStorage

  init(to relation: Relation, key: String?, using foreignKey: ForeignKey?) {
    _association = _AssociationStorage(
      to: relation, key.map(AssociationKey.init(singular:)),
      on: JoinCondition(foreignKey, parentIsOrigin: true))
  }
}

extension JoinCondition {
  init(_ foreignKey: ForeignKey?, parentIsOrigin: Bool) {
    self = .foreignKey(
      ForeignKeyCondition(
        originColumns: foreignKey?.originColumns,
        destinationColumns: foreignKey?.destinationColumns, parentIsOrigin: parentIsOrigin))
  }
}

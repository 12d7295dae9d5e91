/// An association along a condition, without foreign key: from or to a common table expression.
///
/// ```swift
/// // WITH "latestMessage" AS (SELECT *, MAX("date") FROM "message" GROUP BY "chatId")
/// // SELECT "chat".*, "latestMessage".* FROM "chat"
/// // LEFT JOIN "latestMessage" ON "chat"."id" = "latestMessage"."chatId"
/// let latestMessage = CommonTableExpression(
///   named: "latestMessage",
///   request: Message.annotated(with: max(Column("date"))).group(Column("chatId")))
/// let association = Chat.association(to: latestMessage) { chat, latestMessage in
///   chat[Column("id")] == latestMessage[Column("chatId")]
/// }
/// Chat.with(latestMessage).including(optional: association)
/// ```
public struct JoinAssociation<Origin, Destination>: AssociationToOne {
  /// The type of the records that the association starts from.
  public typealias OriginRowDecoder = Origin

  /// The type of the associated records.
  public typealias RowDecoder = Destination

  /// The steps of the association. Not for applications.
  public var _association: _AssociationStorage

  init(
    to relation: Relation,
    on condition: (
      @Sendable (_ left: TableAlias<Origin>, _ right: TableAlias<Destination>)
        -> any SQLExpressible
    )?
  ) {
    var makeExpression: (@Sendable () -> JoinExpression)?
    if let condition {
      makeExpression = {
        let left = TableAlias<Origin>()
        let right = TableAlias<Destination>()
        return JoinExpression(
          expression: condition(left, right).sqlExpression, left: left, right: right)
      }
    }
    _association = _AssociationStorage(
      destination: AssociationStep(
        key: AssociationKey(of: relation), condition: .expression(makeExpression),
        relation: relation, isToMany: false))
  }
}

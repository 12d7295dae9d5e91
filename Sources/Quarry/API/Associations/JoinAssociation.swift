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

  /// A condition on a row of the origin, and a row of the destination.
  public typealias Condition =
    @Sendable (_ left: TableAlias<Origin>, _ right: TableAlias<Destination>) -> any SQLExpressible

  /// The steps of the association. Not for applications.
  public var _association: _AssociationStorage

  init(to relation: Relation, on expression: Condition?) {
    _association = _AssociationStorage(
      to: relation, nil, on: expression.map { JoinCondition($0) } ?? .expression(nil))
  }
}

extension JoinCondition {
  /// A condition on both sides, each with an alias of its own.
  init<Left, Right>(_ expression: @escaping JoinAssociation<Left, Right>.Condition) {
    self = .expression {
      let left = TableAlias<Left>()
      let right = TableAlias<Right>()
      return JoinExpression(
        expression: expression(left, right).sqlExpression, left: left, right: right)
    }
  }
}

import Quarry

/// A generic wrapper of identifiers, as of a library that knows no database.
struct Tagged<Tag, RawValue>: RawRepresentable {
  var rawValue: RawValue
}

extension Tagged: Equatable where RawValue: Equatable {}
extension Tagged: Hashable where RawValue: Hashable {}
extension Tagged: Sendable where RawValue: Sendable {}

extension Tagged: Codable where RawValue: Codable {
  init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(RawValue.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Tagged: SQLExpressible where RawValue: SQLExpressible {}
extension Tagged: StatementBinding where RawValue: StatementBinding {}
extension Tagged: DatabaseValueConvertible where RawValue: DatabaseValueConvertible {}
extension Tagged: StatementColumnConvertible where RawValue: StatementColumnConvertible {}

/// A record that its tagged identifier identifies.
struct Ticket: Codable, Identifiable, FetchableRecord, PersistableRecord {
  typealias ID = Tagged<Ticket, Int64>

  var id: ID
  var seat: String
}

func taggedIdentifiers(_ id: Ticket.ID, _ db: Database) throws {
  let _: [QueryInterfaceRequest<Ticket>] = [
    Ticket.filter(id: id), Ticket.filter(ids: [id]), Ticket.filter(Column("id") == id),
    Ticket.filter([id].contains(Column("id"))),
  ]
  let _: Ticket? = try Ticket.fetchOne(db, id: id)
  let _: Ticket = try Ticket.find(db, id: id)
  let _: [Ticket] = try Ticket.fetchAll(db, ids: [id])
  let _: Bool = try Ticket.deleteOne(db, id: id)
  let _: QueryInterfaceRequest<Ticket.ID> = Ticket.selectID()
  let _: [Ticket.ID] = try Ticket.ID.fetchAll(db, sql: "SELECT id FROM ticket")
  try db.execute(sql: "DELETE FROM ticket WHERE id = ?", arguments: [id])
}

import Quarry
import QuarryTestSupport

/// Members who borrow and reserve: what the chapters on aggregates fetch.
///
/// | member | loans | reservations |
/// | --- | --- | --- |
/// | 1 Ada | maps of 1998 and 2012, poems of 2005 | none |
/// | 2 Bo | a record of 2009 | 1, 2 |
/// | 3 Cy | none | 3 |
/// | 4 Di | none | none |
enum Desk {
  struct Member: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let loans = hasMany(Loan.self)
    static let reservations = hasMany(Reservation.self)

    var id: Int64
    var name: String

    var loans: QueryInterfaceRequest<Loan> {
      request(for: Member.loans)
    }
  }

  struct Loan: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var memberId: Int64
    var year: Int
    var kind: String
    var fine: Double?
    var renewals: Int?
  }

  struct Reservation: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var memberId: Int64
  }

  static let ada = Member(id: 1, name: "Ada")
  static let bo = Member(id: 2, name: "Bo")
  static let cy = Member(id: 3, name: "Cy")
  static let di = Member(id: 4, name: "Di")

  static func make() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE loan (
          id INTEGER PRIMARY KEY, memberId INTEGER NOT NULL REFERENCES member(id),
          year INTEGER NOT NULL, kind TEXT NOT NULL, fine DOUBLE, renewals INTEGER);
        CREATE TABLE reservation (
          id INTEGER PRIMARY KEY, memberId INTEGER NOT NULL REFERENCES member(id));
        INSERT INTO member VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy'), (4, 'Di');
        INSERT INTO loan VALUES
          (1, 1, 1998, 'map', 10, 1), (2, 1, 2012, 'map', 20, 2), (3, 1, 2005, 'poems', 6, NULL),
          (4, 2, 2009, 'record', NULL, 4);
        INSERT INTO reservation VALUES (1, 2), (2, 2), (3, 3);
        """)
  }

  static let joinLoan = #"LEFT JOIN "loan" ON "loan"."memberId" = "member"."id""#
  static let joinReservation = """
    LEFT JOIN "reservation" ON "reservation"."memberId" = "member"."id"
    """
}

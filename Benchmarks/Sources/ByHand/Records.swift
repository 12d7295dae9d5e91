import CSQLiteBench
import Harness

/// A record that reads itself from the columns of a row, by position.
protocol Record: RowValues {
  init(_ statement: OpaquePointer, from start: CInt)
}

struct Player: Record, PlayerValues, Codable {
  var id: Int64
  var name: String
  var team: String
  var score: Int
  var rating: Double
  var email: String?

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    id = integer(statement, start)
    name = text(statement, start + 1)
    team = text(statement, start + 2)
    score = Int(integer(statement, start + 3))
    rating = double(statement, start + 4)
    email = optionalText(statement, start + 5)
  }
}

struct Book: Record, BookValues {
  var id: Int64
  var title: String
  var authorId: Int64
  var publisherId: Int64?
  var year: Int

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    id = integer(statement, start)
    title = text(statement, start + 1)
    authorId = integer(statement, start + 2)
    publisherId = optionalInteger(statement, start + 3)
    year = Int(integer(statement, start + 4))
  }
}

struct Author: Record, AuthorValues {
  var id: Int64
  var name: String
  var country: String
  var birthYear: Int

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    id = integer(statement, start)
    name = text(statement, start + 1)
    country = text(statement, start + 2)
    birthYear = Int(integer(statement, start + 3))
  }
}

/// A row of a joined fetch.
struct Pair<Child: Record, Parent: Record>: RowValues {
  var child: Child
  var parent: Parent

  func add(to checksum: inout Checksum) {
    child.add(to: &checksum)
    parent.add(to: &checksum)
  }
}

/// A parent with all its children.
struct Family<Parent: Record, Child: Record>: RowValues {
  var parent: Parent
  var children: [Child]

  func add(to checksum: inout Checksum) {
    parent.add(to: &checksum)
    for child in children { child.add(to: &checksum) }
  }
}

struct Member: Record, MemberValues {
  var id: Int64
  var name: String

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    id = integer(statement, start)
    name = text(statement, start + 1)
  }
}

struct Loan: Record, LoanValues, Codable {
  var id: Int64
  var memberId: Int64
  var shelf: String
  var days: Int

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    id = integer(statement, start)
    memberId = integer(statement, start + 1)
    shelf = text(statement, start + 2)
    days = Int(integer(statement, start + 3))
  }
}

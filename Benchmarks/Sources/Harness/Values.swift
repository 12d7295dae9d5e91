// The columns of the tables, as every contender's record types show them to the checksum.

public protocol PlayerValues {
  var id: Int64 { get }
  var name: String { get }
  var team: String { get }
  var score: Int { get }
  var rating: Double { get }
  var email: String? { get }
}

public protocol BookValues {
  var id: Int64 { get }
  var title: String { get }
  var authorId: Int64 { get }
  var publisherId: Int64? { get }
  var year: Int { get }
}

public protocol AuthorValues {
  var id: Int64 { get }
  var name: String { get }
  var country: String { get }
  var birthYear: Int { get }
}

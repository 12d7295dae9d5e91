/// The columns of a row, as every contender's record types show them to the checksum.
public protocol RowValues {
  func add(to checksum: inout Checksum)
}

public protocol PlayerValues: RowValues {
  var id: Int64 { get }
  var name: String { get }
  var team: String { get }
  var score: Int { get }
  var rating: Double { get }
  var email: String? { get }
}

extension PlayerValues {
  public func add(to checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(name)
    checksum.add(team)
    checksum.add(score)
    checksum.add(rating)
    checksum.add(email)
  }
}

public protocol BookValues: RowValues {
  var id: Int64 { get }
  var title: String { get }
  var authorId: Int64 { get }
  var publisherId: Int64? { get }
  var year: Int { get }
}

extension BookValues {
  public func add(to checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(title)
    checksum.add(authorId)
    checksum.add(publisherId ?? -1)
    checksum.add(year)
  }
}

public protocol AuthorValues: RowValues {
  var id: Int64 { get }
  var name: String { get }
  var country: String { get }
  var birthYear: Int { get }
}

extension AuthorValues {
  public func add(to checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(name)
    checksum.add(country)
    checksum.add(birthYear)
  }
}

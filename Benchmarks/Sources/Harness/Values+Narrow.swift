// Narrow rows, of two and four short columns: what a row costs whatever it holds shows in them.

public protocol MemberValues: RowValues {
  var id: Int64 { get }
  var name: String { get }
}

extension MemberValues {
  public func add(to checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(name)
  }
}

public protocol LoanValues: RowValues {
  var id: Int64 { get }
  var memberId: Int64 { get }
  var shelf: String { get }
  var days: Int { get }
}

extension LoanValues {
  public func add(to checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(memberId)
    checksum.add(shelf)
    checksum.add(days)
  }
}

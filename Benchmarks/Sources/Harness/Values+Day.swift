public import Foundation

public protocol CodeValues: RowValues {
  var code: UUID { get }
}

extension CodeValues {
  public func add(to checksum: inout Checksum) {
    addCode(to: &checksum)
  }

  fileprivate func addCode(to checksum: inout Checksum) {
    checksum.add(code.uuidString)
  }
}

public protocol DatesValues: RowValues {
  var paidAt: Date { get }
  var refundedAt: Date? { get }
}

extension DatesValues {
  public func add(to checksum: inout Checksum) {
    addDates(to: &checksum)
  }

  fileprivate func addDates(to checksum: inout Checksum) {
    checksum.add(milliseconds(paidAt))
    checksum.add(refundedAt.map(milliseconds) ?? -1)
  }

  private func milliseconds(_ date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 * 1_000).rounded())
  }
}

public protocol PriceValues: RowValues {
  var price: Decimal { get }
}

extension PriceValues {
  public func add(to checksum: inout Checksum) {
    addPrice(to: &checksum)
  }

  fileprivate func addPrice(to checksum: inout Checksum) {
    checksum.add("\(price)")
  }
}

public protocol ReceiptValues: CodeValues, DatesValues, PriceValues {
  var id: Int64 { get }
}

extension ReceiptValues {
  public func add(to checksum: inout Checksum) {
    checksum.add(id)
    addCode(to: &checksum)
    addDates(to: &checksum)
    addPrice(to: &checksum)
  }
}

public protocol VenueValues: RowValues {
  var id: Int64 { get }
  var address: Address { get }
}

extension VenueValues {
  public func add(to checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(address.street)
    checksum.add(address.city)
    for floor in address.floors { checksum.add(floor) }
  }
}

/// An author on a screen of its own: the books, their number, and the number of the recent ones.
public protocol ScreenValues: RowValues {
  associatedtype Author: AuthorValues
  associatedtype Book: BookValues
  var author: Author { get }
  var books: [Book] { get }
  var bookCount: Int { get }
  var recentBookCount: Int { get }
}

extension ScreenValues {
  public func add(to checksum: inout Checksum) {
    author.add(to: &checksum)
    for book in books { book.add(to: &checksum) }
    checksum.add(bookCount)
    checksum.add(recentBookCount)
  }
}

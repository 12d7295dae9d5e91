import Foundation

/// A date in a value of its own, which is a single value of a container.
struct WrappedDate: Codable, Equatable {
  var date: Date
  init(_ date: Date) { self.date = date }
  init(from decoder: any Decoder) throws {
    date = try decoder.singleValueContainer().decode(Date.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(date)
  }
}

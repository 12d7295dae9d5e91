extension Sale {
  /// Why a line is no sale.
  struct Mistake: Error {
    var reason: String
  }

  static let columns = ["receipt", "isbn", "copies", "price"]

  /// Creates a sale from the fields of a line.
  init(_ fields: [String], file: Int64?) throws {
    guard fields.count == Self.columns.count else {
      throw Mistake(reason: "\(fields.count) fields instead of \(Self.columns.count)")
    }
    func check<T>(_ index: Int, _ problem: String, _ value: T?) throws -> T {
      if let value { return value }
      throw Mistake(reason: "\(Self.columns[index]): '\(fields[index])' is \(problem)")
    }
    let isISBN = fields[1].utf8.count == 13 && fields[1].utf8.allSatisfy { 0x30...0x39 ~= $0 }
    receipt = try check(0, "empty", fields[0].isEmpty ? nil : fields[0])
    isbn = try check(1, "no number of 13 digits", isISBN ? fields[1] : nil)
    copies = try check(2, "no number of copies", Int(fields[2]).flatMap { $0 > 0 ? $0 : nil })
    cents = try check(3, "no price", Self.cents(fields[3]))
    importedFileId = file
  }

  /// `9.5` is 950: money is counted, and not measured.
  private static func cents(_ price: String) -> Int? {
    let parts = price.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = UInt32(parts[0]), parts.count <= 2 else { return nil }
    guard let part = parts.dropFirst().first else { return Int(whole) * 100 }
    guard 1...2 ~= part.count, let number = UInt8(part) else { return nil }
    return Int(whole) * 100 + Int(number) * (part.count == 1 ? 10 : 1)
  }
}

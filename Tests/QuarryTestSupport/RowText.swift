import Quarry

extension Row {
  /// The values of all columns, also those of associations: `3|Invisible Towns|2002`.
  var lineOfValues: String {
    unadapted.databaseValues.map { value in
      switch value.storage {
      case .null: "NULL"
      case .int64(let number): "\(number)"
      case .double(let number): "\(number)"
      case .string(let text): text
      case .blob(let data): "\(data.count) bytes"
      }
    }
    .joined(separator: "|")
  }
}

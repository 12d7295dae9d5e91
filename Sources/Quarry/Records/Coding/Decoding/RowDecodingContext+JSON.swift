import Foundation

extension RowDecodingContext {
  /// A function that decodes JSON from a column, with one `JSONDecoder` for all rows.
  func jsonDecoder<T: Decodable>(
    _ type: T.Type, _ column: Int, _ key: any CodingKey
  ) -> (Row) throws -> T {
    let decoder = recordType.databaseJSONDecoder(for: key.stringValue)
    return { [self] row in
      do {
        // A copy: the initialisers of the decoded types may end the statement that has the bytes.
        let json = try row.withUnsafeData(atIndex: column) { data in
          data.map { unsafe $0.withUnsafeBytes { bytes in unsafe Data(bytes) } }
        }
        guard let json else {
          throw DecodingError.valueNotFound(
            type, .init(codingPath: codingPath + [key], debugDescription: "Missing Data"))
        }
        return try decoder.decode(type, from: json)
      } catch let error as DecodingError {
        throw error.inColumn(column, of: row, recordType: recordType, json: type)
      }
    }
  }
}

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
        do {
          return try decoder.decode(type, from: json)
        } catch let error as DecodingError where !decoder.allowsJSON5 {
          throw error.locatingMistake(in: json)
        }
      } catch let error as DecodingError {
        throw error.inColumn(column, of: row, recordType: recordType, json: type)
      }
    }
  }
}

extension Row {
  /// Whether a value may be a JSON object or array.
  func mayHaveJSONContainer(at column: Int) -> Bool {
    (try? withUnsafeData(atIndex: column) { $0?.beginsJSONContainer == true }) == true
  }
}

extension DecodingError {
  /// The error, with what Foundation does not report: where malformed JSON is so, and which keys
  /// the object has that lacks one.
  fileprivate func locatingMistake(in json: Data) -> DecodingError {
    switch self {
    case .dataCorrupted(let context):
      guard let mistake = JSONMistake(in: json) else { return self }
      return .dataCorrupted(context.with("\(mistake)"))
    case .keyNotFound(let key, let context):
      let advice = NameSuggestion.text(
        for: key.stringValue, among: context.keys(in: json), orList: "the JSON object has the keys")
      return advice.map { .keyNotFound(key, context.with($0)) } ?? self
    default: return self
    }
  }
}

extension DecodingError.Context {
  fileprivate func with(_ description: String) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: codingPath, debugDescription: description, underlyingError: underlyingError)
  }

  /// The keys of the object that is being decoded.
  fileprivate func keys(in json: Data) -> [String] {
    var value = try? JSONSerialization.jsonObject(with: json)
    for key in codingPath {
      if let index = key.intValue, let array = value as? [Any] {
        value = array.indices.contains(index) ? array[index] : nil
      } else {
        value = (value as? [String: Any])?[key.stringValue]
      }
    }
    return (value as? [String: Any])?.keys.sorted() ?? []
  }
}

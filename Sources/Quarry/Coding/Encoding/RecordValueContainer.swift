/// A record as one value: the record that it wraps is encoded into the same columns.
struct RecordValueContainer: SingleValueEncodingContainer {
  private let currentEncoder: RecordEncoder
  private let recordCount: Int

  init(_ encoder: RecordEncoder) {
    currentEncoder = encoder
    recordCount = encoder.recordCount
  }

  /// The encoder, as long as the record that requested the container is being encoded.
  private var encoder: RecordEncoder {
    currentEncoder.isBusy && currentEncoder.recordCount == recordCount ? currentEncoder : .ended
  }

  var codingPath: [any CodingKey] { [] }

  func encode<T: Encodable>(_ value: T) throws {
    if let record = value as? any EncodableRecord {
      try encoder.encode(record)
    } else if value is any DatabaseValueConvertible {
      throw singleValue()
    } else {
      try value.encode(to: encoder)
    }
  }

  private func singleValue() -> EncodingError {
    encoder.fail("Can't encode a single value in a database row.", at: [])
  }

  func encodeNil() throws { throw singleValue() }
}

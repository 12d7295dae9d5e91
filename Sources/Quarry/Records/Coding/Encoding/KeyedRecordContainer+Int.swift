// `Scripts/generate` writes the functions of the other integers that fit in 64 bits.

extension KeyedRecordContainer {
  func encode(_ value: Int, forKey key: Key) throws { try set(Int64(value), key) }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try set(value.databaseValue, key) }
}

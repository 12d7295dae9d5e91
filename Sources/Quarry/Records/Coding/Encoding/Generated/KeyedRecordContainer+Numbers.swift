// Written by Scripts/generate, from KeyedRecordContainer+Bool.swift: change that file.

extension KeyedRecordContainer {
  func encode(_ value: Double, forKey key: Key) throws { try set(value.databaseValue, key) }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

extension KeyedRecordContainer {
  func encode(_ value: Float, forKey key: Key) throws { try set(value.databaseValue, key) }

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

extension KeyedRecordContainer {
  func encode(_ value: UInt, forKey key: Key) throws { try set(value.databaseValue, key) }

  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try set(value.databaseValue, key) }
}

extension KeyedRecordContainer {
  func encode(_ value: UInt64, forKey key: Key) throws { try set(value.databaseValue, key) }

  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

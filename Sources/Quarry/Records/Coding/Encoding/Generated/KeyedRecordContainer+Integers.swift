// Written by Scripts/generate, from KeyedRecordContainer+Int.swift: change that file.

extension KeyedRecordContainer {
  func encode(_ value: Int8, forKey key: Key) throws { try set(Int64(value), key) }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try set(value.databaseValue, key) }
}

extension KeyedRecordContainer {
  func encode(_ value: Int16, forKey key: Key) throws { try set(Int64(value), key) }

  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

extension KeyedRecordContainer {
  func encode(_ value: Int32, forKey key: Key) throws { try set(Int64(value), key) }

  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

extension KeyedRecordContainer {
  func encode(_ value: Int64, forKey key: Key) throws { try set(Int64(value), key) }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

extension KeyedRecordContainer {
  func encode(_ value: UInt8, forKey key: Key) throws { try set(Int64(value), key) }

  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

extension KeyedRecordContainer {
  func encode(_ value: UInt16, forKey key: Key) throws { try set(Int64(value), key) }

  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

extension KeyedRecordContainer {
  func encode(_ value: UInt32, forKey key: Key) throws { try set(Int64(value), key) }

  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try set(value.databaseValue, key)
  }
}

// Containers have functions of their own for fourteen types. `Scripts/generate` writes those of
// floating-point numbers and of large integers.

extension KeyedRecordContainer {
  func encode(_ value: Bool, forKey key: Key) throws { try set(value.databaseValue, key) }

  // The default implementation leaves the column out when the value is nil.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try set(value.databaseValue, key) }
}

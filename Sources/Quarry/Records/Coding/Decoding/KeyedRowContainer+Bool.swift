// Containers have functions of their own for fourteen types: `Scripts/generate` writes those of the
// others.

extension KeyedRowContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  // The default implementation looks for the key three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try value(Bool?.self, key) { try $0.absentValue(key) }
  }
}

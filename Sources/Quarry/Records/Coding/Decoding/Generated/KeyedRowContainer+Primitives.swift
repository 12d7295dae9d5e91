// Written by Scripts/generate, from KeyedRowContainer+Bool.swift: change that file.

extension KeyedRowContainer {
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try value(String?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try value(Double?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try value(Float?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try value(Int?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try value(Int8?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try value(Int16?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try value(Int32?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try value(Int64?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try value(UInt?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try value(UInt8?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try value(UInt16?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try value(UInt32?.self, key) { try $0.absentValue(key) }
  }
}

extension KeyedRowContainer {
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(type, key) { throw try $0.missingColumn(key) }
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try value(UInt64?.self, key) { try $0.absentValue(key) }
  }
}

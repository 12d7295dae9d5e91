/// Numbers the coding keys of a type.
///
/// Keys of one byte, as enumerations without associated values are, have the byte as number: no string is looked at.
/// Other keys are found by name, first at the place after the last one.
struct CodingKeySlots {
  /// The size of keys that are their own number: 0 or 1.
  let byteSize: Int?
  private var names: [String] = []
  private var last = -1

  init(_ type: any CodingKey.Type) {
    byteSize = Self.byteSize(type)
  }

  private static func byteSize<Key: CodingKey>(_ type: Key.Type) -> Int? {
    let size = MemoryLayout<Key>.size
    return size <= 1 && _isPOD(type) ? size : nil
  }

  @inline(__always) mutating func slot<Key: CodingKey>(of key: Key) -> Int {
    switch byteSize {
    case 1: unsafe Int(withUnsafeBytes(of: key) { unsafe $0[0] })
    case 0: 0
    default: slot(named: key.stringValue)
    }
  }

  private mutating func slot(named name: String) -> Int {
    let guess = last + 1
    if guess < names.count, names[guess] == name {
      last = guess
    } else if let index = names.firstIndex(of: name) {
      last = index
    } else {
      names.append(name)
      last = names.count - 1
    }
    return last
  }
}

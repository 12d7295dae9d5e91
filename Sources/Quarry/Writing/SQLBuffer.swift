/// The text that is being written, in UTF-8.
///
/// A statement is some fifty short pieces: they are copied one after the other into one block of memory.
struct SQLBuffer: ~Copyable {
  private var storage: ManagedBuffer<Void, UInt8>
  private var count = 0
  private var capacity: Int

  init(capacity: Int = 248) {
    storage = .create(minimumCapacity: capacity) { _ in }
    self.capacity = capacity
  }

  var string: String {
    unsafe storage.withUnsafeMutablePointerToElements {
      unsafe String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
    }
  }

  mutating func append(_ text: StaticString) {
    unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(text: String) {
    var text = text
    text.withUTF8 { unsafe append($0) }
  }

  mutating func append(byte: UInt8) {
    reserve(1)
    unsafe storage.withUnsafeMutablePointerToElements { unsafe $0[count] = byte }
    count += 1
  }

  /// Between double quotes. Embedded quotes are doubled, so that a name never ends the identifier.
  mutating func append(identifier name: String) {
    let quote = UInt8(ascii: "\"")
    var name = name
    name.withUTF8 { bytes in
      reserve(2 * bytes.count + 2)
      unsafe storage.withUnsafeMutablePointerToElements { start in
        var end = unsafe start + count
        unsafe end.pointee = quote
        unsafe end += 1
        for index in 0..<bytes.count {
          let byte = unsafe bytes[index]
          unsafe end.pointee = byte
          unsafe end += 1
          guard byte == quote else { continue }
          unsafe end.pointee = quote
          unsafe end += 1
        }
        unsafe end.pointee = quote
        count = unsafe end - start + 1
      }
    }
  }

  mutating func append(_ number: Int) {
    append(text: String(number))
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe storage.withUnsafeMutablePointerToElements {
      unsafe ($0 + count).update(from: source, count: bytes.count)
    }
    count += bytes.count
  }

  private mutating func reserve(_ additionalCount: Int) {
    if count + additionalCount > capacity { grow(additionalCount) }
  }

  private mutating func grow(_ additionalCount: Int) {
    capacity = max(2 * capacity, count + additionalCount)
    let grown = ManagedBuffer<Void, UInt8>.create(minimumCapacity: capacity) { _ in }
    unsafe storage.withUnsafeMutablePointerToElements { source in
      unsafe grown.withUnsafeMutablePointerToElements {
        unsafe $0.update(from: source, count: count)
      }
    }
    storage = grown
  }
}

import Foundation

/// Bytes that are written one after the other: the text of a statement in UTF-8, the key of a
/// request.
///
/// A statement is some fifty short pieces: they are copied into one block of memory.
struct ByteBuffer: ~Copyable {
  private var storage: ManagedBuffer<Void, UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 248) {
    storage = .create(minimumCapacity: capacity) { _ in }
    self.capacity = capacity
  }

  var string: String { unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) } }

  var array: [UInt8] { unsafe withBytes { unsafe Array($0) } }

  var last: UInt8? { unsafe withBytes { unsafe $0.last } }

  func withBytes<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
    try unsafe storage.withUnsafeMutablePointerToElements {
      try unsafe body(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// Forgets the bytes, and keeps the memory.
  mutating func removeAll() { count = 0 }

  mutating func append(_ text: StaticString) {
    unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(text: String) {
    var text = text
    text.withUTF8 { unsafe append($0) }
  }

  @inline(__always) mutating func append(byte: UInt8) {
    reserve(1)
    unsafe storage.withUnsafeMutablePointerToElements { unsafe $0[count] = byte }
    count &+= 1
  }

  /// Appends the number of the bytes that `body` writes, at most `maximumCount`.
  @inline(__always) mutating func append(
    maximumCount: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int
  ) {
    reserve(maximumCount)
    unsafe storage.withUnsafeMutablePointerToElements { unsafe count &+= body($0 + count) }
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe storage.withUnsafeMutablePointerToElements {
      unsafe ($0 + count).update(from: source, count: bytes.count)
    }
    count &+= bytes.count
  }

  @inline(__always) private mutating func reserve(_ additionalCount: Int) {
    if count &+ additionalCount > capacity { grow(additionalCount) }
  }

  @inline(never) private mutating func grow(_ additionalCount: Int) {
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

extension ByteBuffer {
  /// A hash value of the bytes, eight by eight: the same as long as the program runs.
  var hash: UInt64 {
    unsafe withBytes { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var hash = UInt64(truncatingIfNeeded: bytes.count)
      func combine(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
      }
      var offset = 0
      while offset &+ 8 <= bytes.count {
        unsafe combine(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset &+= 8
      }
      while offset < bytes.count {
        unsafe combine(UInt64(bytes[offset]))
        offset &+= 1
      }
      return hash
    }
  }

  static func == (lhs: borrowing ByteBuffer, rhs: borrowing ByteBuffer) -> Bool {
    unsafe rhs.withBytes { unsafe lhs.isEqual(to: $0) }
  }

  static func == (lhs: borrowing ByteBuffer, rhs: [UInt8]) -> Bool {
    unsafe rhs.withUnsafeBufferPointer { unsafe lhs.isEqual(to: $0) }
  }

  private borrowing func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let start = other.baseAddress else { return true }
    return unsafe withBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe memcmp($0, start, count) == 0 } ?? true
    }
  }
}

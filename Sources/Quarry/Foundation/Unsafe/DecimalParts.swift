import Foundation

/// The parts of a decimal number: its digits as an integer of 64 bits, the power of ten, and the
/// sign.
///
/// *Assumption*: the first byte of a `Decimal` is the exponent, the second one has the number of
/// its words of 16 bits in the upper half, and the sign under it; the words begin at the fifth
/// byte, the lowest one first. So it is in Foundation on Linux, which does not declare it in
/// public. *Check*: two numbers are read before the first use. If their parts are not these, there
/// are none of any number, and callers use its description, as on other platforms.
/// `DecimalPartsTests` compare the texts of numbers with their descriptions. *Figure*: a
/// description takes 16,400 instructions.
@safe struct DecimalParts: Equatable {
  private var significand: UInt64
  private var exponent: Int
  private var isNegative: Bool
}

extension DecimalParts {
  /// Nil for numbers with more digits, and for NaN.
  init?(_ decimal: Decimal) {
    guard Self.isLayoutKnown else { return nil }
    self.init(reading: decimal)
  }

  private init?(reading decimal: Decimal) {
    let (head, words) = unsafe withUnsafeBytes(of: decimal) {
      unsafe (
        UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)),
        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      )
    }
    let length = Int(head >> 12 & 0xF)
    // Zero and NaN have no words. Words beyond the length don't count.
    guard 1...4 ~= length else { return nil }
    significand = words & (.max >> UInt64(64 - 16 * length))
    exponent = Int(Int8(truncatingIfNeeded: head))
    isNegative = head >> 11 & 1 == 1
  }

  private static let isLayoutKnown: Bool = {
    let size = MemoryLayout<Decimal>.size
    let digits: UInt64 = 0x1234_5678_9ABC_DEF1
    let long = Decimal(sign: .minus, exponent: -5, significand: Decimal(digits))
    let short = Decimal(sign: .plus, exponent: 7, significand: 321)
    return size == 20
      && DecimalParts(reading: long)
        == DecimalParts(significand: digits, exponent: -5, isNegative: true)
      && DecimalParts(reading: short)
        == DecimalParts(significand: 321, exponent: 7, isNegative: false)
  }()

  /// The description of the number.
  var text: String {
    // 20 digits, 127 zeros, a point, a zero before it, and the sign.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 160) { buffer in
      let start = unsafe write(into: buffer)
      return unsafe String(decoding: buffer[start...], as: UTF8.self)
    }
  }

  /// Writes from the end. Returns the start of the text.
  private func write(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var start = buffer.count
    func write(_ byte: UInt8) {
      start &-= 1
      unsafe buffer[start] = byte
    }
    let zero = UInt8(ascii: "0")
    for _ in 0..<max(exponent, 0) { write(zero) }
    var rest = significand
    var decimals = max(-exponent, 0)
    let hasPoint = decimals > 0
    while rest > 0 || decimals > 0 {
      write(zero &+ UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
      decimals -= 1
      if decimals == 0 { write(UInt8(ascii: ".")) }
    }
    if hasPoint, unsafe buffer[start] == UInt8(ascii: ".") { write(zero) }
    if isNegative { write(UInt8(ascii: "-")) }
    return start
  }
}

/// Writes dates and times as UTF-8 text.
@safe package struct DateTextWriter {
  /// More bytes than any date text has.
  static let capacity = 192

  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  /// Builds the text in a stack buffer that lives as long as the closure.
  static func withText<Result>(
    _ time: CivilTime, format: DatabaseDateComponents.Format,
    body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      var writer = unsafe DateTextWriter(buffer: buffer)
      writer.write(time, format: format)
      return unsafe body(UnsafeBufferPointer(rebasing: buffer[..<writer.count]))
    }
  }

  package static func string(_ time: CivilTime, format: DatabaseDateComponents.Format) -> String {
    unsafe withText(time, format: format) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  mutating func write(_ time: CivilTime, format: DatabaseDateComponents.Format) {
    switch format {
    case .YMD: writeDate(time)
    case .YMD_HM, .YMD_HMS, .YMD_HMSS:
      writeDate(time)
      write(" ")
    case .HM, .HMS, .HMSS: break
    }
    switch format {
    case .YMD: break
    case .YMD_HM, .HM: writeMinutes(time)
    case .YMD_HMS, .HMS: writeSeconds(time)
    case .YMD_HMSS, .HMSS: writeMilliseconds(time)
    }
  }

  private mutating func writeDate(_ time: CivilTime) {
    write(time.year, width: 4)
    write("-")
    write(time.month, width: 2)
    write("-")
    write(time.day, width: 2)
  }

  private mutating func writeMinutes(_ time: CivilTime) {
    write(time.hour, width: 2)
    write(":")
    write(time.minute, width: 2)
  }

  private mutating func writeSeconds(_ time: CivilTime) {
    writeMinutes(time)
    write(":")
    write(time.second, width: 2)
  }

  private mutating func writeMilliseconds(_ time: CivilTime) {
    writeSeconds(time)
    write(".")
    write(time.millisecond, width: 3)
  }

  private mutating func write(_ character: Unicode.Scalar) {
    unsafe buffer[count] = UInt8(ascii: character)
    count += 1
  }

  /// Writes a number with leading zeros. Numbers that need more digits get them.
  @inline(__always) private mutating func write(_ number: Int, width: Int) {
    let limit = width == 2 ? 100 : width == 3 ? 1000 : 10_000
    guard 0..<limit ~= number else { return write(long: number, width: width) }
    write(digits: number.magnitude, count: width)
  }

  @inline(never) private mutating func write(long number: Int, width: Int) {
    if number < 0 { write("-") }
    write(digits: number.magnitude, count: max(width, number.magnitude.description.utf8.count))
  }

  @inline(__always) private mutating func write(digits number: UInt, count digitCount: Int) {
    var rest = number
    var position = count &+ digitCount
    count = position
    for _ in 0..<digitCount {
      position &-= 1
      unsafe buffer[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}

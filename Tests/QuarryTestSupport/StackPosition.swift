/// The address of a local variable. On one thread, it says how deep calls are nested: functions
/// that wrap each other are seen, and before the stack overflows.
@inline(never)
public func stackPosition() -> Int {
  var variable: UInt8 = 0
  return withUnsafeMutablePointer(to: &variable) { Int(bitPattern: $0) }
}

/// How much deeper the last of some calls was than the tenth one, in bytes.
public func stackGrowth(_ positions: [Int]) -> Int {
  guard positions.count > 10, let last = positions.last else { return .max }
  return abs(positions[9] - last)
}

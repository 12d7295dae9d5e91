package enum JoinKind: UInt8, Sendable {
  case inner, left, right, full, cross
}

/// The value of a generic type that is known to be another type.
///
/// *Assumption*: the caller has compared the types. So the value has the same representation.
/// *Check*: an assertion.
/// *Figure*: FIGURE
@usableFromInline enum SameType {
  @inlinable @inline(__always)
  static func cast<Value, Same>(_ value: Value, to type: Same.Type) -> Same {
    assert(Value.self == Same.self)
    return unsafe unsafeBitCast(value, to: Same.self)
  }
}

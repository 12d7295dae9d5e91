/// A value as a type that is known to be its own: the caller has compared the types.
///
/// *Assumption*: none beside the comparison, which is checked again in debug builds.
/// *Check*: `CodableValueTests`, which reads dates, UUIDs and decimals of records both ways.
/// *Figure*: see below.
@inline(__always) func sameType<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  assert(Value.self == Same.self)
  return unsafe unsafeBitCast(value, to: type)
}

/// The type of a value at run time.
///
/// Only classes have subclasses: asking `type(of:)` for the type of a structure would take longer
/// than many an encoding.
@inlinable @inline(__always) func dynamicType<Value>(of value: Value) -> Value.Type {
  Value.self is AnyClass ? type(of: value) : Value.self
}

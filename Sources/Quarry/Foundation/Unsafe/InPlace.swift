/// A value that is used where it stands in memory.
///
/// *Assumption*: a structure with one field has the layout of the field. *Check*:
/// `BatchContainerTests` and `BatchInsertionTests` insert structures and objects. *Figure*: an
/// element of an array, or a field that is read, is copied before its method is called, and its
/// references are counted: a record with three texts takes 170 instructions more. So methods of the
/// value are called in methods of this type.
struct InPlace<Value>: ~Copyable {
  let value: Value

  @inline(__always) static func withValues<T>(
    _ values: UnsafePointer<Value>, count: Int,
    _ body: (UnsafePointer<InPlace<Value>>) throws -> T
  ) rethrows -> T {
    try unsafe values.withMemoryRebound(to: InPlace<Value>.self, capacity: count, body)
  }
}

/// A value that is used where it stands in memory.
///
/// *Assumption*: a structure with one field has the layout of the field.
/// *Check*: `BatchContainerTests` and `BatchInsertionTests` insert structures and objects.
/// *Figure*: an element of an array is copied before its method is called, and its references are counted: a record with
/// two texts takes 40 instructions more.
struct InPlace<Value>: ~Copyable {
  let value: Value

  @inline(__always) static func withValues<T>(
    _ values: UnsafePointer<Value>, count: Int,
    _ body: (UnsafePointer<InPlace<Value>>) throws -> T
  ) rethrows -> T {
    try unsafe values.withMemoryRebound(to: InPlace<Value>.self, capacity: count, body)
  }
}

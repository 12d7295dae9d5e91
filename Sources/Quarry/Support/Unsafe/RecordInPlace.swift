/// A record that is encoded where it stands in memory.
///
/// *Assumption*: a structure with one field has the layout of the field.
/// *Check*: `BatchContainerTests` and `BatchInsertionTests` insert structures and objects.
/// *Figure*: an element of an array is copied before its method is called, which counts its references: a record with two
/// texts takes 40 instructions more.
struct RecordInPlace<Record: EncodableRecord>: ~Copyable {
  private let record: Record

  @inline(__always) func encode(to container: inout PersistenceContainer) throws {
    try record.encode(to: &container)
  }

  @inline(__always) static func withRecords<T>(
    _ records: UnsafePointer<Record>, count: Int,
    _ body: (UnsafePointer<RecordInPlace<Record>>) throws -> T
  ) rethrows -> T {
    try unsafe records.withMemoryRebound(to: RecordInPlace<Record>.self, capacity: count, body)
  }
}

/// Values at an address that does not change, which is read without counting a reference to their
/// owner.
///
/// *Assumption*: the memory is part of its owner, and is read only while the owner exists. A keyed
/// container asks the lifetime of its table first; the storage of a container owns the columns
/// whose names it expects.
/// *Check*: `EscapedDecoderTests`, `EscapedEncoderTests`, `CoderLifetimeTests`.
/// *Figure*: without the columns by pointer, a row of four takes 1,565 instructions more (see the
/// fast routes in ARCHITECTURE.md). The names of expected columns are not measured alone.
@safe struct FixedMemory<Value>: ~Copyable {
  let start: UnsafeMutablePointer<Value>
  private let count: Int

  init(_ values: some Collection<Value>) {
    count = values.count
    unsafe start = .allocate(capacity: count)
    _ = unsafe UnsafeMutableBufferPointer(start: start, count: count).initialize(from: values)
  }

  deinit {
    unsafe start.deinitialize(count: count)
    unsafe start.deallocate()
  }

  var values: UnsafeBufferPointer<Value> { unsafe UnsafeBufferPointer(start: start, count: count) }
}

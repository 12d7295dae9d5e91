/// A keyed container of the standard library, made once and handed out for each record.
///
/// *Assumption*: the content of `KeyedEncodingContainer` and `KeyedDecodingContainer` is one reference to an object. So the
/// reference count of the object answers whether a record has kept the container.
/// *Check*: the size, when a box is made: the program stops where it is another one. `EscapedDecoderTests` and
/// `EscapedEncoderTests` keep containers.
/// *Figure*: with containers made for each record, joined pairs of Codable records take twice as long.
@safe struct ContainerBox {
  /// Optional, since the reference count of an existential can't be asked for: it would be opened, and copied.
  private var object: AnyObject?

  init<Container>(_ container: Container) {
    precondition(MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size)
    object = unsafe unsafeBitCast(container, to: AnyObject.self)
  }

  init() {}

  /// The container, whose type the caller knows.
  @inline(__always) func container<Container>(_ type: Container.Type) -> Container {
    unsafe unsafeBitCast(object, to: type)
  }

  /// Whether a record has kept the container.
  mutating func isShared() -> Bool { !isKnownUniquelyReferenced(&object) }
}

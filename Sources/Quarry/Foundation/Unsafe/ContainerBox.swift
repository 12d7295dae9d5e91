/// A keyed container of the standard library, made once and handed out for each record.
///
/// *Assumption*: the content of `KeyedEncodingContainer` and `KeyedDecodingContainer` is one
/// reference to an object. So the reference count of the object answers whether a record has kept
/// the container. *Check*: the size, when a box is filled: the program stops where it is another
/// one. `EscapedDecoderTests` and `EscapedEncoderTests` keep containers. *Figure*: with containers
/// made for each record, the line `codable` of the benchmarks takes 28% more instructions.
@safe class ContainerBox {
  /// Optional, since the reference count of an existential can't be asked for: it would be opened,
  /// and copied.
  @safe @exclusivity(unchecked) fileprivate final var object: AnyObject?

  /// An empty box for containers of a type.
  static func make<Container>(for type: Container.Type) -> ContainerBox {
    TypedContainerBox<Container>()
  }

  final func fill<Container>(_ container: Container) {
    precondition(MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size)
    object = unsafe unsafeBitCast(container, to: AnyObject.self)
  }

  /// The container, whose type the caller knows: it is the one that the box was made for.
  @inline(__always) final func container<Container>(_ type: Container.Type) -> Container {
    unsafe unsafeDowncast(self, to: TypedContainerBox<Container>.self).container
  }

  /// Whether a record has kept the container.
  @inline(__always) final func isShared() -> Bool { !isKnownUniquelyReferenced(&object) }
}

private final class TypedContainerBox<Container>: ContainerBox {
  /// Not inlined, so that the type is that of the box. Generic callers would look it up in a table
  /// of the Swift runtime, which takes 330 instructions for each record.
  @inline(never) var container: Container { unsafe unsafeBitCast(object, to: Container.self) }
}

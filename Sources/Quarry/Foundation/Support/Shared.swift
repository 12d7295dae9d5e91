/// A large value that copies share, such as the relation of a static association in all requests
/// that join it.
@usableFromInline package final class Shared<Value: Sendable>: Sendable {
  package let value: Value

  init(_ value: Value) { self.value = value }
}

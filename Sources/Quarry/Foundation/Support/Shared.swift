/// A large value that copies share, such as the relation of a static association in all requests
/// that join it.
@usableFromInline final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

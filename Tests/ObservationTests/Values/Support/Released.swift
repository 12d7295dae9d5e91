/// A value that does something when it is released, such as a record that ends an observation.
final class Released: Sendable {
  let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}

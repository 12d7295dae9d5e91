/// What a deferred part of a clause is computed from: the schema, which the tree knows nothing of.
protocol DeferredContext {}

/// A part of a clause that needs the schema to be known.
///
/// It has an identity: two parts are equal if they are the same one.
package final class Deferred<Value>: Sendable {
  let value: @Sendable (any DeferredContext) throws -> Value
  /// True if the value is the same as long as the schema is. Closures of the user may return what
  /// they like.
  package let isOfSchema: Bool

  init(isOfSchema: Bool, value: @escaping @Sendable (any DeferredContext) throws -> Value) {
    self.value = value
    self.isOfSchema = isOfSchema
  }
}

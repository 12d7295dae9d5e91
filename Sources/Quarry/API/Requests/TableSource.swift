/// A source of rows with a name: a ``Table``, or a ``CommonTableExpression``. Not for applications.
///
/// Requests and associations that start from such a source are written once, as extensions of this
/// protocol. Those of record types are static methods, which can't be shared: see ``TableRecord``.
public protocol _TableSource<RowDecoder>: Sendable {
  /// The type of the fetched values.
  associatedtype RowDecoder

  /// All rows.
  func all() -> QueryInterfaceRequest<RowDecoder>
}

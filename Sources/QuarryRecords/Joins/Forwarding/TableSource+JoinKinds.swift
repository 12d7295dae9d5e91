// Requests that start with a join that keeps the rows of the other side, or all pairs.

public import Quarry

extension _TableSource {
  /// See ``Quarry/JoinableRequest/including(right:)``.
  public func including<A: Association>(
    right association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(right: association)
  }

  /// See ``Quarry/JoinableRequest/including(full:)``.
  public func including<A: Association>(
    full association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(full: association)
  }

  /// See ``Quarry/JoinableRequest/including(cross:)``.
  public func including<A: Association>(
    cross association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(cross: association)
  }

  /// See ``Quarry/JoinableRequest/joining(right:)``.
  public func joining<A: Association>(
    right association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().joining(right: association)
  }

  /// See ``Quarry/JoinableRequest/joining(full:)``.
  public func joining<A: Association>(
    full association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().joining(full: association)
  }

  /// See ``Quarry/JoinableRequest/joining(cross:)``.
  public func joining<A: Association>(
    cross association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().joining(cross: association)
  }
}

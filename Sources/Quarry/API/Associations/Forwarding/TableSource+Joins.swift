// Requests that start with an association.

extension _TableSource {
  /// Fetches all associated records, with a second request. See
  /// ``JoinableRequest/including(all:)``.
  public func including<A: AssociationToMany>(
    all association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(all: association)
  }

  /// Fetches the associated record, if any. See ``JoinableRequest/including(optional:)``.
  public func including<A: Association>(
    optional association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(optional: association)
  }

  /// Fetches the associated record, which must exist. See ``JoinableRequest/including(required:)``.
  public func including<A: Association>(
    required association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().including(required: association)
  }

  /// Joins an association without fetching it. See ``JoinableRequest/joining(optional:)``.
  public func joining<A: Association>(
    optional association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().joining(optional: association)
  }

  /// Keeps the records that have an associated record. See ``JoinableRequest/joining(required:)``.
  public func joining<A: Association>(
    required association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().joining(required: association)
  }

  /// Appends the columns of the associated record, if any. See
  /// ``JoinableRequest/annotated(withOptional:)``.
  public func annotated<A: Association>(
    withOptional association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().annotated(withOptional: association)
  }

  /// Appends the columns of the associated record, which must exist. See
  /// ``JoinableRequest/annotated(withRequired:)``.
  public func annotated<A: Association>(
    withRequired association: A
  ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
    all().annotated(withRequired: association)
  }

  /// Appends aggregates of associations. See `annotated(with:)`.
  public func annotated(
    with aggregates: AssociationAggregate<RowDecoder>...
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().annotated(with: aggregates)
  }

  /// Appends aggregates of associations. See `annotated(with:)`.
  public func annotated(
    with aggregates: [AssociationAggregate<RowDecoder>]
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().annotated(with: aggregates)
  }

  /// Keeps the records that satisfy a condition on associations. See
  /// ``DerivableRequest/having(_:)``.
  public func having(_ predicate: AssociationAggregate<RowDecoder>) -> QueryInterfaceRequest<
    RowDecoder
  > {
    all().having(predicate)
  }
}

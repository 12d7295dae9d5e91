// Written by Scripts/generate, from TableSource+Joins.swift: change that file.

extension TableRecord {
  /// Fetches all associated records, with a second request. See
  /// ``JoinableRequest/including(all:)``.
  public static func including<A: AssociationToMany>(
    all association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(all: association)
  }

  /// Fetches the associated record, if any. See ``JoinableRequest/including(optional:)``.
  public static func including<A: Association>(
    optional association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(optional: association)
  }

  /// Fetches the associated record, which must exist. See ``JoinableRequest/including(required:)``.
  public static func including<A: Association>(
    required association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(required: association)
  }

  /// Joins an association without fetching it. See ``JoinableRequest/joining(optional:)``.
  public static func joining<A: Association>(
    optional association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(optional: association)
  }

  /// Keeps the records that have an associated record. See ``JoinableRequest/joining(required:)``.
  public static func joining<A: Association>(
    required association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(required: association)
  }

  /// Appends the columns of the associated record, if any. See
  /// ``JoinableRequest/annotated(withOptional:)``.
  public static func annotated<A: Association>(
    withOptional association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().annotated(withOptional: association)
  }

  /// Appends the columns of the associated record, which must exist. See
  /// ``JoinableRequest/annotated(withRequired:)``.
  public static func annotated<A: Association>(
    withRequired association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().annotated(withRequired: association)
  }

  /// Appends aggregates of associations. See `annotated(with:)`.
  public static func annotated(
    with aggregates: AssociationAggregate<Self>...
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: aggregates)
  }

  /// Appends aggregates of associations. See `annotated(with:)`.
  public static func annotated(
    with aggregates: [AssociationAggregate<Self>]
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: aggregates)
  }

  /// Keeps the records that satisfy a condition on associations. See
  /// ``DerivableRequest/having(_:)``.
  public static func having(_ predicate: AssociationAggregate<Self>) -> QueryInterfaceRequest<
    Self
  > {
    all().having(predicate)
  }
}

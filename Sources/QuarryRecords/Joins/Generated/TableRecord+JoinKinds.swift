// Written by Scripts/generate, from TableSource+JoinKinds.swift: change that file.

extension TableRecord {
  /// See ``JoinableRequest/including(right:)``.
  public static func including<A: Association>(
    right association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(right: association)
  }

  /// See ``JoinableRequest/including(full:)``.
  public static func including<A: Association>(
    full association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(full: association)
  }

  /// See ``JoinableRequest/including(cross:)``.
  public static func including<A: Association>(
    cross association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(cross: association)
  }

  /// See ``JoinableRequest/joining(right:)``.
  public static func joining<A: Association>(
    right association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(right: association)
  }

  /// See ``JoinableRequest/joining(full:)``.
  public static func joining<A: Association>(
    full association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(full: association)
  }

  /// See ``JoinableRequest/joining(cross:)``.
  public static func joining<A: Association>(
    cross association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(cross: association)
  }
}

// Written by Scripts/generate, from TableSource+JoinKinds.swift: change that file.

public import Quarry

extension TableRecord {
  /// See ``Quarry/JoinableRequest/including(right:)``.
  public static func including<A: Association>(
    right association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(right: association)
  }

  /// See ``Quarry/JoinableRequest/including(full:)``.
  public static func including<A: Association>(
    full association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(full: association)
  }

  /// See ``Quarry/JoinableRequest/including(cross:)``.
  public static func including<A: Association>(
    cross association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().including(cross: association)
  }

  /// See ``Quarry/JoinableRequest/joining(right:)``.
  public static func joining<A: Association>(
    right association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(right: association)
  }

  /// See ``Quarry/JoinableRequest/joining(full:)``.
  public static func joining<A: Association>(
    full association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(full: association)
  }

  /// See ``Quarry/JoinableRequest/joining(cross:)``.
  public static func joining<A: Association>(
    cross association: A
  ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
    all().joining(cross: association)
  }
}

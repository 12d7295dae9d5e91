#if Macros
  public import Quarry

  /// A typed column of any record and type, by its name.
  public protocol AnyTypedColumn {
    /// The name of the column.
    var name: String { get }
  }

  extension Typed: AnyTypedColumn where Content == Column {}

  extension ForeignKey {
    /// Creates a foreign key from typed columns.
    ///
    /// ```swift
    /// Player.hasMany(
    ///   Player.self, key: "rivals",
    ///   using: ForeignKey([Player.Columns.score], to: [Player.Columns.score]))
    /// ```
    public init(
      _ originColumns: [any AnyTypedColumn], to destinationColumns: [any AnyTypedColumn]? = nil
    ) { self.init(originColumns.map(\.name), to: destinationColumns?.map(\.name)) }
  }
#endif

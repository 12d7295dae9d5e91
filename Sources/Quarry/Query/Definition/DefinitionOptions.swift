/// The options of the creation of a table.
public struct TableOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `IF NOT EXISTS`: nothing happens if the table exists.
  public static let ifNotExists = TableOptions(rawValue: 1 << 0)

  /// `TEMPORARY`: the table belongs to the connection, and goes with it.
  public static let temporary = TableOptions(rawValue: 1 << 1)

  /// `WITHOUT ROWID`: see <https://www.sqlite.org/withoutrowid.html>.
  public static let withoutRowID = TableOptions(rawValue: 1 << 2)

  /// `STRICT`: the types of columns are enforced. See <https://www.sqlite.org/stricttables.html>.
  ///
  /// SQLite 3.37.0 is required.
  public static let strict = TableOptions(rawValue: 1 << 3)
}

/// The options of the creation of a view.
public struct ViewOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `IF NOT EXISTS`: nothing happens if the view exists.
  public static let ifNotExists = ViewOptions(rawValue: 1 << 0)

  /// `TEMPORARY`: the view belongs to the connection, and goes with it.
  public static let temporary = ViewOptions(rawValue: 1 << 1)
}

/// The options of the creation of an index.
public struct IndexOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `IF NOT EXISTS`: nothing happens if the index exists.
  public static let ifNotExists = IndexOptions(rawValue: 1 << 0)

  /// `UNIQUE`: duplicates are forbidden.
  public static let unique = IndexOptions(rawValue: 1 << 1)
}

/// The options of the creation of a virtual table.
public struct VirtualTableOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `IF NOT EXISTS`: nothing happens if the table exists.
  public static let ifNotExists = VirtualTableOptions(rawValue: 1 << 0)

  /// The table belongs to the connection, and goes with it.
  public static let temporary = VirtualTableOptions(rawValue: 1 << 1)
}

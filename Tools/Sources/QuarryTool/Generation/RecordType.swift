import Quarry

/// The singular and plural names of an association: of a table by default, and else of the name
/// that is given.
struct AssociationKey: Equatable {
  var singular: String
  var plural: String

  init(table: String) {
    singular = Inflections.default.singularize(table)
    plural = Inflections.default.pluralize(table)
  }

  init(singular: String) {
    self.singular = singular
    plural = Inflections.default.pluralize(singular)
  }

  init(plural: String) {
    singular = Inflections.default.singularize(plural)
    self.plural = plural
  }
}

/// A record type: its properties and associations.
struct RecordType {
  struct Property {
    var name: String
    var column: Catalog.Column

    var escapedName: String { SwiftName.escaped(name) }
  }

  struct Link {
    var name: String
    /// `belongsTo(Author.self`
    var start: String
    /// `, using: ForeignKey(["authorId"])`
    var clause: String
    /// The position of the other record.
    var target: Int
    var key: Catalog.ForeignKey
    /// The key of the association, which is not the name where that is taken in Swift.
    var associationKey: String
    /// The key that the association has by itself.
    var defaultKey: AssociationKey

    var isToMany: Bool { start.hasPrefix("hasMany") }
    /// The key, where it must be written.
    var writtenKey: String? { effectiveKey == defaultKey ? nil : associationKey }
    var effectiveKey: AssociationKey {
      isToMany ? AssociationKey(plural: associationKey) : AssociationKey(singular: associationKey)
    }

    var escapedName: String { SwiftName.escaped(name) }
    func isOf(_ key: Catalog.ForeignKey) -> Bool {
      start.hasPrefix("belongsTo") && self.key.columns == key.columns
    }
  }

  var table: Catalog.Table
  var name: String
  private(set) var properties: [Property] = []
  private(set) var associations: [Link] = []
  private var usedNames = Self.reservedNames

  init(_ table: Catalog.Table, name: String) {
    self.table = table
    self.name = name
    var used: Set<String> = []
    properties = table.columns.map { column in
      Property(name: SwiftName.unique(SwiftName.property(column.name), &used), column: column)
    }
  }

  /// - returns: the name that the association gets.
  @discardableResult
  mutating func add(
    _ key: String, _ start: String, _ clause: String, target: Int,
    key foreignKey: Catalog.ForeignKey, defaultKey: AssociationKey
  ) -> String {
    let isReserved = Self.reservedNames.contains(key.lowercased())
    let name = SwiftName.unique(isReserved ? key + "Link" : key, &usedNames)
    associations.append(
      Link(
        name: name, start: start, clause: clause, target: target, key: foreignKey,
        associationKey: isReserved ? key : name, defaultKey: defaultKey))
    return name
  }

  /// Only rows of tables can be written.
  var isWritable: Bool { table.kind == .table }

  var rowIDProperty: Property? {
    guard isWritable, let column = table.rowIDColumn else { return nil }
    return properties.first { $0.column.name.isSameName(as: column) }
  }

  var hasGeneratedColumns: Bool { table.columns.contains { $0.isGenerated } }

  /// Static members that all record types have.
  private static let reservedNames: Set<String> = [
    "all", "aliased", "annotated", "belongsto", "columns", "databasecolumnencodingstrategy",
    "databasecomponents", "databaseselection", "databasetablename", "deleteall", "deleteone",
    "distinct", "exists", "fetchall", "fetchcount", "fetchcursor", "fetchone", "fetchset", "filter",
    "find", "group", "groupbyprimarykey", "hasmany", "hasone", "having", "including", "joining",
    "limit", "matching", "none", "order", "orderbyprimarykey", "primarykey", "reversed", "select",
    "selectid", "selectprimarykey", "unordered", "updateall", "with",
  ]
}

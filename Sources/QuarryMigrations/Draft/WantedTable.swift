import Quarry

/// A table as record types want it: the one that exists, with what they lack.
struct WantedTable {
  struct Item {
    let name: String
    var old: ColumnText?
    var sql: String
    var isDefined = false
    var wishes: [RecordColumn] = []

    var titles: String { Set(wishes.map(\.title)).sorted().joined(separator: ", ") }
    /// The column as SQL says it.
    var text: ColumnText? { TableText(name: "", sql: "CREATE TABLE t (\(sql))").columns.first }
  }

  let name: String
  private let old: TableText?
  private let shapes: [RecordShape]
  private(set) var items: [Item] = []
  private var constraints: [String] = []
  private(set) var isChanged = false
  /// What can't be known.
  private(set) var problems: [String] = []

  init(_ name: String, _ old: TableText?, _ shapes: [RecordShape]) {
    (self.name, self.old, self.shapes) = (old?.name ?? name, old, shapes)
    items = (old?.columns ?? []).map { Item(name: $0.name, old: $0, sql: $0.sql) }
    constraints = (old?.constraints ?? []).map(\.sql)
    isChanged = old == nil
    problems = shapes.flatMap(\.problems)
  }

  private var isStrict: Bool { old?.isStrict ?? false }

  var sql: String {
    let body = (items.map(\.sql) + constraints).joined(separator: ", ")
    let options = (old?.options ?? []).sorted(by: >).joined(separator: ", ")
    return "CREATE TABLE \(name.quotedDatabaseIdentifier) (\(body)) \(options)"
      .trimmed
  }

  /// The columns that no record type has.
  var unknownColumns: [String] { items.filter(\.wishes.isEmpty).map { "\(name).\($0.name)" } }

  func item(_ column: String) -> Item? { items.first { $0.name.isSameIdentifier(as: column) } }

  /// Takes the SQL of a column, or of a constraint of a new table.
  mutating func define(_ column: String?, _ definition: String) throws {
    guard let column else { return try constrain(definition) }
    let index = items.firstIndex { $0.name.isSameIdentifier(as: column) } ?? items.count
    if index == items.count { items.append(Item(name: column, sql: "")) }
    items[index].isDefined = true
    items[index].sql = "\(items[index].name.quotedDatabaseIdentifier) \(definition)"
    isChanged = true
  }

  private mutating func constrain(_ definition: String) throws {
    guard let old else { return constraints.append(definition) }
    let key = SQLLexer.tokens(ofSchema: definition).key
    guard old.constraints.contains(where: { $0.tokens.key == key }) else {
      throw MigrationDraftError.invalidName(
        name,
        reason:
          "the table exists without this constraint, which its columns may violate: add it to "
          + "the draft")
    }
  }

  /// Finds the columns of properties, and makes those that are missing.
  mutating func fit() throws {
    for shape in shapes { for column in shape.columns { find(column, of: shape) } }
    if let stray = items.first(where: { $0.old == nil && $0.wishes.isEmpty }) {
      throw MigrationDraftError.invalidName(
        "\(name).\(stray.name)", reason: "neither the table nor a record type has this column")
    }
    let key = old == nil ? newKey() : []
    for index in items.indices where !items[index].isDefined && !items[index].wishes.isEmpty {
      fit(index, isKey: key.contains(items[index].name))
    }
  }

  private mutating func find(_ column: RecordColumn, of shape: RecordShape) {
    if let index = shape.index(of: column, in: items.map(\.name)) {
      return items[index].wishes.append(column)
    }
    if column.property.isSameIdentifier(as: "rowid") { return }
    if let problem = shape.unknownName(of: column) { return problems.append(problem) }
    items.append(Item(name: column.name, sql: "", wishes: [column]))
    isChanged = true
  }

  /// The column of the primary key of a new table, if no definition has it.
  private mutating func newKey() -> [String] {
    let isDefined =
      items.contains { $0.isDefined && $0.text?.clause("PRIMARY") != nil }
      || !TableText(name: name, sql: sql).primaryKey.isEmpty
    if isDefined { return [] }
    let key = items.filter { $0.wishes.contains(where: \.isPrimaryKey) }.map(\.name)
    let isRowID = shapes.flatMap(\.columns).contains { $0.property.isSameIdentifier(as: "rowid") }
    if key.isEmpty, !isRowID, !shapes.contains(where: \.isComplete), problems.isEmpty {
      problems.append(
        "\(name): the primary key of the new table can't be found, since no property is named id. Give "
          + "it in definitions, as [\"\(name).isbn\": \"TEXT NOT NULL PRIMARY KEY\"], or "
          + "[\"\(name)\": \"PRIMARY KEY (a, b)\"]")
    }
    return key
  }

  mutating func drop(_ column: String) {
    items.removeAll { $0.name.isSameIdentifier(as: column) }
    isChanged = true
  }
}

// A column that properties want.
extension WantedTable {
  private mutating func fit(_ index: Int, isKey: Bool) {
    let item = items[index]
    if item.old?.isGenerated == true { return }
    let type = fittingType(item)
    let isNotNull = fittingNullability(item, isRetyped: type != nil)
    if let column = item.old {
      guard type != nil || isNotNull != nil else { return }
      items[index].sql = column.sql(type: type, isNotNull: isNotNull)
      isChanged = true
    } else {
      items[index].sql =
        ([item.name.quotedDatabaseIdentifier, type] + [isKey ? "PRIMARY KEY" : nil]
        + [isNotNull == true ? "NOT NULL" : nil]).compactMap { $0 }.joined(separator: " ")
    }
  }

  /// A type that stores the values of all properties as they are. Nil for the present one, or none.
  private mutating func fittingType(_ item: Item) -> String? {
    let wishes = item.wishes.compactMap(\.type).map { isStrict ? $0.strict : $0 }
    let isKept = { [isStrict] (type: String) in
      wishes.allSatisfy { $0.isKept(byType: type, isStrict: isStrict) }
    }
    // A column that shows the rowid takes integers only.
    let isRowID = old?.rowIDAlias?.isSameIdentifier(as: item.name) == true
    if let column = item.old,
      isRowID ? wishes.allSatisfy({ $0 == .integer }) : isKept(column.typeText)
    {
      return nil
    }
    if let type = wishes.first(where: { isKept($0.rawValue) }) { return type.rawValue }
    if !wishes.isEmpty {
      problems.append(
        "\(name).\(item.name): the properties \(item.titles) need columns of different types. Give one "
          + "in definitions")
    } else if item.old == nil, let reason = item.wishes.compactMap(\.unknownType).first {
      problems.append(
        "\(item.titles): the type of the column \(name).\(item.name) can't be found: \(reason). Give it "
          + "in definitions, as [\"\(name).\(item.name)\": \"TEXT NOT NULL\"]")
    }
    return isStrict && item.old == nil ? "ANY" : nil
  }

  /// Whether the column has to be `NOT NULL`. Nil where it may stay as it is.
  private mutating func fittingNullability(_ item: Item, isRetyped: Bool) -> Bool? {
    let refusesNull = item.wishes.contains(where: \.refusesNull)
    let writesNull = item.wishes.contains(where: \.writesNull)
    let isKey = old?.primaryKey.contains { $0.isSameIdentifier(as: item.name) } == true
    // SQLite gives it a number.
    if isKey, !isRetyped, old?.rowIDAlias?.isSameIdentifier(as: item.name) == true { return nil }
    if refusesNull, writesNull {
      problems.append(
        "\(name).\(item.name): of the properties \(item.titles), some can be nil, and others can't. Give "
          + "the column in definitions")
      return nil
    }
    let isKeyWithoutNull = isKey && old?.options.isEmpty == false
    let isNotNull = item.old?.isNotNull == true || isKeyWithoutNull
    if writesNull, isKeyWithoutNull {
      problems.append(
        "\(item.titles): the property can be nil, and its column is part of a primary key that can't be "
          + "NULL")
      return nil
    }
    if refusesNull, !isNotNull { return true }
    return writesNull && isNotNull ? false : nil
  }
}

extension ColumnText {
  /// The column with another type, or with another constraint for NULL.
  fileprivate func sql(type newType: String?, isNotNull: Bool?) -> String {
    let type = newType ?? type.onOneLine
    var parts = [name.quotedDatabaseIdentifier] + (type.isEmpty ? [] : [type])
    parts += clauses.filter { isNotNull == nil || !["NOT", "NULL"].contains($0.kind) }
      .map(\.tokens.onOneLine)
    if isNotNull == true { parts.append("NOT NULL") }
    return parts.joined(separator: " ")
  }
}

extension String {
  fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}

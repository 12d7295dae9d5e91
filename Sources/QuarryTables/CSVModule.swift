public import Quarry

/// The module `csv`: CSV files as tables of the database file.
///
/// ```swift
/// try CSVModule.register(on: db)
///
/// // CREATE VIRTUAL TABLE "sale" USING csv(filename='/data/sales.csv', delimiter=';', "isbn" TEXT, "price" DOUBLE)
/// try db.create(virtualTable: "sale", using: CSVModule()) { t in
///   t.path = "/data/sales.csv"
///   t.delimiter = ";"
///   t.column("isbn", .text)
///   t.column("price", .double)
/// }
/// ```
///
/// All connections to the database file have to register the module. The file is found again by its
/// path, when the table is used: an absolute path is best.
///
/// Triggers and views can't use the tables: a schema could read any file otherwise. A ``CSVTable``
/// that the application registers by itself can be used there.
public struct CSVModule: VirtualTableModule {
  /// The name of the module: `csv`.
  public var moduleName: String { "csv" }

  /// Creates the module.
  public init() {}

  /// Registers the module on a connection.
  public static func register(on db: Database) throws {
    try db.register(module: CSVModule().moduleName) { try CSVTable($0) }
  }

  /// The definition of a table.
  public final class TableDefinition {
    /// The path of the file.
    public var path = ""

    /// Whether the first line contains the names of the columns. True by default.
    public var hasHeader = true

    /// The separator of fields: a comma, by default.
    public var delimiter: Character = ","

    fileprivate var columns: [VirtualTableColumn] = []

    /// Adds a column: either all columns of the file are added, or none.
    public func column(_ name: String, _ type: Database.ColumnType? = nil) {
      columns.append(VirtualTableColumn(name, type))
    }
  }

  /// A new definition.
  public func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition {
    TableDefinition()
  }

  /// The arguments of the module.
  public func moduleArguments(for definition: TableDefinition, in db: Database) -> [String] {
    var arguments = ["filename=\(definition.path.quotedDatabaseText)"]
    if !definition.hasHeader { arguments.append("header=no") }
    if definition.delimiter != "," {
      arguments.append("delimiter=\(String(definition.delimiter).quotedDatabaseText)")
    }
    return arguments + definition.columns.map(\.sql)
  }

  /// Does nothing.
  public func database(
    _ db: Database, didCreate tableName: String, using definition: TableDefinition
  ) {}
}

extension CSVTable {
  fileprivate init(_ arguments: VirtualTableArguments) throws {
    var path: String?
    var hasHeader = true
    var delimiter: Character = ","
    for (key, value) in arguments.options {
      switch key {
      case "filename": path = value
      case "header": hasHeader = try Self.flag(key, value)
      case "delimiter" where value.count == 1: delimiter = value.first ?? ","
      default: throw DatabaseError(message: "no such option: \(key)=\(value)")
      }
    }
    guard let path, !path.isEmpty else { throw DatabaseError(message: "missing option: filename") }
    let columns = arguments.otherTexts.map(Self.column)
    try self.init(
      path: path, columns: columns.isEmpty ? nil : columns, types: [:], hasHeader: hasHeader,
      delimiter: delimiter, null: nil, trust: .directOnly)
  }

  private static func flag(_ key: String, _ value: String) throws -> Bool {
    switch value.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw DatabaseError(message: "\(key) is neither yes nor no: \(value)")
    }
  }

  /// `"title" TEXT`
  private static func column(_ text: String) -> VirtualTableColumn {
    let name: Substring
    if let first = text.first, let quote = ["\"": "\"", "`": "`", "[": "]"][first] {
      name = text.prefix(quoteEnd(text, Character(quote)))
    } else {
      name = text.prefix { !$0.isWhitespace }
    }
    let type = text[name.endIndex...].drop(while: \.isWhitespace)
    return VirtualTableColumn(
      String(name).unquoted,
      type.isEmpty ? nil : Database.ColumnType(rawValue: String(type)))
  }

  /// The number of the characters of a quoted name. A doubled quote does not end it.
  private static func quoteEnd(_ text: String, _ quote: Character) -> Int {
    let characters = Array(text)
    var index = 1
    while index < characters.count {
      if characters[index] == quote {
        guard index + 1 < characters.count, characters[index + 1] == quote else { return index + 1 }
        index += 1
      }
      index += 1
    }
    return characters.count
  }
}

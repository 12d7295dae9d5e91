import Quarry

/// The tables and views of a database, read one by one: a view that is broken, or a virtual table
/// whose module is missing, is no reason not to see the others.
struct Catalog {
  var tables: [Table]

  struct Table {
    enum Kind: String {
      case table, view, virtual, shadow
    }

    var name: String
    var kind: Kind
    var sql: String
    var columns: [Column] = []
    var foreignKeys: [ForeignKey] = []
    var indexes: [Index] = []
    var hasRowID = true
    /// The column that is an alias of the rowid.
    var rowIDColumn: String?
    /// Why the table can't be read.
    var problem: String?

    var quotedName: String { name.quotedDatabaseIdentifier }
    /// The columns of the declared primary key, in key order.
    var primaryKey: [String] {
      columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }

    func column(_ name: String) -> Column? {
      columns.first { $0.name.isSameName(as: name) }
    }
  }

  struct Column {
    var name: String
    var type: String
    var isNotNull: Bool
    var defaultSQL: String?
    /// The position in the primary key, from 1. 0 for others.
    var keyPosition: Int
    var isGenerated: Bool

    var quotedName: String { name.quotedDatabaseIdentifier }
  }

  struct ForeignKey {
    var columns: [String]
    var table: String
    /// Empty when the key of the other table is meant, and there is none.
    var tableColumns: [String]
    var onDelete: String
  }

  struct Index {
    var name: String
    /// Nil for an expression.
    var columns: [String?]
    var isUnique: Bool
    var isPartial: Bool
    /// `c` for `CREATE INDEX`, `u` for `UNIQUE`, `pk` for `PRIMARY KEY`.
    var origin: String

    /// `(title, year), unique, partial`
    var terms: String {
      let list = columns.map { $0 ?? "expression" }.joined(separator: ", ")
      return "(\(list))" + (isUnique ? ", unique" : "") + (isPartial ? ", partial" : "")
    }
  }

  /// The table or view with a name.
  func table(_ name: String, path: String) throws -> Table {
    guard let table = tables.first(where: { $0.name.isSameName(as: name) }) else {
      throw ToolError("\(path): no such table or view: \(name)")
    }
    if let problem = table.problem { throw ToolError("\(path): \(table.name): \(problem)") }
    return table
  }
}

extension String {
  func isSameName(as other: String) -> Bool {
    nameKey == other.nameKey
  }

  /// The bytes of the name, which SQLite compares without regard to the case of ASCII letters.
  /// Strings of Swift are equal up to Unicode normalization: `é` may be one scalar or two.
  var nameKey: [UInt8] {
    utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}

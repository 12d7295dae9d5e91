import Foundation
import Quarry

/// An entity-relationship diagram of the tables.
struct Diagram {
  var tables: [Catalog.Table]
  var links: [Link]

  /// - parameter hasMigrations: whether the table that records the migrations is shown.
  init(_ catalog: Catalog, hasMigrations: Bool) {
    tables = catalog.tables.filter {
      $0.kind == .table && $0.problem == nil
        && (hasMigrations || !Database.isGRDBInternalTable($0.name))
    }
    links = Self.links(tables)
  }

  /// Writes a file whose ending gives the format.
  func write(to path: String) throws {
    let text: String
    switch path.split(separator: ".").last?.lowercased() {
    case "svg": text = SVGDiagram(self).text
    case "mmd", "mermaid": text = mermaid
    default: throw ToolError("\(path): a diagram ends with .svg or .mmd")
    }
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    } catch {
      throw ToolError("\(path): can't write the file")
    }
  }

  /// A foreign key between two tables of the diagram.
  struct Link {
    var child: Int
    var parent: Int
    var key: Catalog.ForeignKey
    /// A child has a parent.
    var isRequired: Bool
    /// A parent has at most one child.
    var isUnique: Bool
  }

  private static func links(_ tables: [Catalog.Table]) -> [Link] {
    tables.indices.flatMap { child in
      tables[child].foreignKeys.compactMap { key in
        guard let parent = tables.firstIndex(where: { $0.name.isSameName(as: key.table) }) else {
          return nil
        }
        let table = tables[child]
        return Link(
          child: child, parent: parent, key: key,
          isRequired: key.columns.allSatisfy { table.isRequired($0) },
          isUnique: table.hasUniqueKey(key.columns))
      }
    }
  }
}

extension Catalog.Table {
  /// `PK`, `FK`: the keys that a column is a part of.
  func keyMarks(of column: Catalog.Column) -> [String] {
    let isForeign = foreignKeys.contains { key in
      key.columns.contains { $0.isSameName(as: column.name) }
    }
    return (column.keyPosition > 0 ? ["PK"] : []) + (isForeign ? ["FK"] : [])
  }

  /// Whether a column is never NULL.
  func isRequired(_ name: String) -> Bool {
    guard let column = column(name) else { return false }
    let isRowID = rowIDColumn?.isSameName(as: name) == true
    return column.isNotNull || column.keyPosition > 0 && (!hasRowID || isRowID)
  }

  /// Whether no two rows have the same values in the columns.
  func hasUniqueKey(_ names: [String]) -> Bool {
    let keys = Set(names.map(\.nameKey))
    let isUnique = { (columns: [String]) in
      !columns.isEmpty && Set(columns.map(\.nameKey)).isSubset(of: keys)
    }
    return isUnique(primaryKey)
      || indexes.contains { index in
        index.isUnique && !index.isPartial && !index.columns.contains(nil)
          && isUnique(index.columns.compactMap { $0 })
      }
  }
}

/// The Swift source of records.
struct RecordSource {
  private let model: RecordModel
  private let values: ValueTypes
  private let access: String
  private let problems: [String]
  /// Records by macro, which writes the columns, the coding and the callbacks.
  private let usesMacros: Bool

  init(catalog: Catalog, values: ValueTypes, isPublic: Bool, usesMacros: Bool = false) {
    self.usesMacros = usesMacros
    model = RecordModel(catalog)
    self.values = values
    access = isPublic ? "public " : ""
    problems = catalog.tables.compactMap { table in
      table.problem.map { "// \(table.name): can't be read: \($0)".onOneLine + "\n" }
    }
  }

  var text: String {
    // An import that is not needed is a warning in some builds.
    let usesFoundation = model.records.contains { record in
      record.properties.contains { ["Date", "Data"].contains(type(of: $0, record)) }
    }
    let module = usesMacros ? "QuarryMacros" : "Quarry"
    let imports =
      (usesFoundation ? "\(access)import Foundation\n" : "") + "\(access)import \(module)\n"
    return imports + problems.joined() + model.records.map { "\n" + text(of: $0) }.joined()
  }

  private func text(of record: RecordType) -> String {
    let parts =
      usesMacros
      ? [attribute(record), properties(record), encode(record), associations(record)]
      : [
        declaration(record), properties(record), tableName(record), didInsert(record),
        encode(record), keys(record), columns(record), associations(record),
      ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "}\n"
  }

  private func summary(_ record: RecordType) -> String {
    let kind =
      record.table.kind == .table ? "table" : record.table.kind == .view ? "view" : "virtual table"
    return "/// A row of the \(kind) `\(record.table.name.onOneLine)`."
  }

  /// `@Record("players") struct Player: Codable, Hashable, Sendable {`. Records that contain others
  /// are `Decodable`, as they are.
  private func attribute(_ record: RecordType) -> String {
    let name = record.table.name
    let isDefault = name == SwiftName.defaultTable(ofType: record.name)
    let arguments =
      (isDefault ? [] : [name.swiftLiteral]) + (record.isWritable ? [] : ["readOnly: true"])
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    return """
      \(summary(record))
      @Record\(list)
      \(access)struct \(record.name): Codable, Hashable, Sendable {

      """.dropLastNewline
  }

  private func declaration(_ record: RecordType) -> String {
    let coding = record.isWritable && !record.hasGeneratedColumns ? "Codable" : "Decodable"
    let persistence =
      !record.isWritable
      ? "TableRecord"
      : record.rowIDProperty == nil ? "PersistableRecord" : "MutablePersistableRecord"
    return """
      \(summary(record))
      \(access)struct \(record.name): \(coding), Hashable, Sendable, FetchableRecord, \(persistence) {

      """.dropLastNewline
  }

  private func properties(_ record: RecordType) -> String {
    record.properties.map { property in
      let isKey = record.rowIDProperty?.name == property.name
      // SQLite lets NULL into keys, but for those of rowids.
      let isOptional = isKey || !record.table.isRequired(property.column.name)
      let remark = values.choice(record.table, property.column).remark.map { "  // \($0)\n" } ?? ""
      let type = type(of: property, record) + (isOptional ? "?" : "")
      let attributes = usesMacros ? attributes(of: property, isKey: isKey) : ""
      return "\(remark)  \(attributes)\(access)var \(property.escapedName): \(type)\n"
    }.joined()
  }

  private func attributes(of property: RecordType.Property, isKey: Bool) -> String {
    let column = property.column.name
    return (isKey ? "@PrimaryKey " : "")
      + (property.name == column ? "" : "@Column(\(column.swiftLiteral)) ")
  }

  /// Keys have the width of a rowid.
  private func type(of property: RecordType.Property, _ record: RecordType) -> String {
    let type = values.choice(record.table, property.column).type
    let isKey = record.rowIDProperty?.name == property.name
    let isReference = record.table.foreignKeys.contains { key in
      key.columns.contains { $0.isSameName(as: property.column.name) }
    }
    return type == "Int" && (isKey || isReference) ? "Int64" : type
  }

  /// Where it is not the name of the type.
  private func tableName(_ record: RecordType) -> String {
    let name = record.table.name
    guard name != SwiftName.defaultTable(ofType: record.name) else { return "" }
    return "  \(access)static let databaseTableName = \(name.swiftLiteral)\n"
  }

  private func didInsert(_ record: RecordType) -> String {
    guard let property = record.rowIDProperty else { return "" }
    return """
        \(access)mutating func didInsert(_ inserted: InsertionSuccess) {
          \(property.escapedName) = inserted.rowID
        }

      """
  }

  /// Generated columns are read, and not written.
  private func encode(_ record: RecordType) -> String {
    guard record.isWritable, record.hasGeneratedColumns else { return "" }
    let lines = record.properties.filter { !$0.column.isGenerated }.map {
      "    container[\($0.column.name.swiftLiteral)] = \($0.escapedName)\n"
    }
    return """
        \(access)func encode(to container: inout PersistenceContainer) throws {
      \(lines.joined())  }

      """
  }

  /// Where a property has another name than its column: the compiler makes the others.
  private func keys(_ record: RecordType) -> String {
    guard record.properties.contains(where: { $0.name != $0.column.name }) else { return "" }
    let cases = record.properties.map { property in
      let value =
        property.name == property.column.name ? "" : " = \(property.column.name.swiftLiteral)"
      return "    case \(property.escapedName)\(value)\n"
    }
    return "  \(access)enum CodingKeys: String, CodingKey {\n\(cases.joined())  }\n"
  }

  private func columns(_ record: RecordType) -> String {
    let lines = record.properties.map {
      "    \(access)static let \($0.escapedName) = Column(CodingKeys.\($0.escapedName))\n"
    }
    return "  \(access)enum Columns {\n\(lines.joined())  }\n"
  }

  private func associations(_ record: RecordType) -> String {
    record.associations.map { link in
      let key = link.writtenKey.map { ", key: \($0.swiftLiteral)" } ?? ""
      // The argument `key` stands before `using`, and after `through`.
      let isThrough = link.clause.contains("through:")
      let end = isThrough ? "\(link.clause)\(key))" : "\(key)\(link.clause))"
      return "  \(access)static let \(link.escapedName) = \(link.start)\(end)\n"
    }.joined()
  }
}

extension String {
  fileprivate var dropLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}

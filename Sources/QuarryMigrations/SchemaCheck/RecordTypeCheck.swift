import Quarry

/// Compares a record type with the table that it is tied to.
struct RecordTypeCheck {
  let type: any TableRecord.Type
  let db: Database
  private let table: String

  init(_ type: any TableRecord.Type, _ db: Database) {
    self.type = type
    self.db = db
    table = type.databaseTableName
  }

  func differences() throws -> [SchemaDifference] {
    guard try db.schema.exists(table) else {
      return [difference(.missingTable, [], "table \(table) does not exist")]
    }
    let columns = try db.schema.columns(of: table)
    let record = RecordProperties(type)
    var differences = missingColumns(record, columns)
    if try !db.schema.isView(table) {
      differences += try wrongNullability(record, columns)
      if record.isPersistable, !record.properties.isEmpty {
        differences += try unwrittenColumns(record, columns)
      }
    }
    return differences + invalidSelection()
  }

  private func missingColumns(
    _ record: RecordProperties, _ columns: [ColumnInfo]
  ) -> [SchemaDifference] {
    record.properties.filter { column(of: $0, record, columns) == nil }
      .filter { !$0.name.isSameIdentifier(as: "rowid") }
      .map { difference(.missingColumn, [$0.name], "table \(table) has no column \($0.name)") }
  }

  private func wrongNullability(
    _ record: RecordProperties, _ columns: [ColumnInfo]
  ) throws -> [SchemaDifference] {
    let rowIDColumn = try db.schema.primaryKeyIfKnown(of: table)?.rowIDColumn
    return record.properties.compactMap { property in
      guard let column = column(of: property, record, columns), !column.isGenerated,
        rowIDColumn?.hasSameBytes(as: column.name) != true,
        let isOptional = property.isOptional
      else { return nil }
      if !isOptional, !column.isNotNull {
        return difference(
          .nullableColumn, [column.name],
          "column \(column.name) may be NULL, and property \(property.name) can't be nil")
      }
      if isOptional, column.isNotNull, record.isPersistable {
        return difference(
          .requiredColumn, [column.name],
          "column \(column.name) can't be NULL, and property \(property.name) can be nil")
      }
      return nil
    }
  }

  private func unwrittenColumns(
    _ record: RecordProperties, _ columns: [ColumnInfo]
  ) throws -> [SchemaDifference] {
    let rowIDColumn = try db.schema.primaryKeyIfKnown(of: table)?.rowIDColumn
    let written = record.properties.compactMap { column(of: $0, record, columns)?.name }
    return columns.filter { column in
      column.isNotNull && !column.hasDefaultValue && !column.isGenerated
        && rowIDColumn?.hasSameBytes(as: column.name) != true && !written.containsText(column.name)
    }.map {
      difference(
        .unwrittenColumn, [$0.name],
        "column \($0.name) needs a value, and is no property of \(recordName)")
    }
  }

  private func invalidSelection() -> [SchemaDifference] {
    do {
      let request = Table<Row>(table).select(type.databaseSelection)
      let text = try CompiledQuery(request.relation, in: PlanningContext(db)).text
      try db.makeStatement(sql: text.sql).setArguments(text.arguments)
      return []
    } catch {
      let reason = (error as? DatabaseError)?.message ?? "\(error)"
      return [difference(.invalidSelection, [], "the selection is not valid: \(reason)")]
    }
  }

  private func column(
    of property: RecordProperties.Property, _ record: RecordProperties, _ columns: [ColumnInfo]
  ) -> ColumnInfo? {
    columns.first { record.key($0.name).hasSameBytes(as: property.name) }
      ?? columns.first { $0.name.isSameIdentifier(as: property.name) }
  }

  private var recordName: String { "\(type)" }

  private func difference(
    _ kind: SchemaDifference.Kind, _ columns: [String], _ text: String
  ) -> SchemaDifference {
    SchemaDifference(
      kind: kind, recordType: recordName, table: table, columns: columns,
      description: "\(recordName): \(text)")
  }
}

extension ColumnInfo {
  fileprivate var hasDefaultValue: Bool {
    defaultValueSQL.map { !SQLLexer.tokens(ofSchema: $0).isNull } ?? false
  }
}

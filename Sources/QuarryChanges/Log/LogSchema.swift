import Quarry

/// The tables that are logged, by their names in lowercase.
struct LogSchema {
  private(set) var tables: [String: LogTable] = [:]

  init(_ db: Database, _ names: [String]) throws {
    for name in names {
      let table = try LogTable(db, name)
      tables[table.name.lowercasedASCII] = table
    }
    let children = try Row.fetchAll(
      db,
      sql: """
        SELECT child.name AS child, keys.id, keys."table" AS parent, keys."from", keys."to"
        FROM main.sqlite_master AS child, pragma_foreign_key_list(child.name, 'main') AS keys
        WHERE child.type = 'table' AND instr(upper(child.sql), 'REFERENCES')
        ORDER BY child.name, keys.id, keys.seq
        """)
    let groups = Dictionary(grouping: children) { row in
      "\(row["id"] as Int) \(row["child"] as String)"
    }
    for rows in groups.values { try add(rows) }
  }

  var hasForeignKeys: Bool { tables.values.contains { !$0.foreignKeys.isEmpty } }

  subscript(name: String) -> LogTable? { tables[name.lowercasedASCII] }

  /// The foreign keys that reference a table, whose name is in lowercase, and the tables that have
  /// them.
  func foreignKeys(to parent: String) -> [(child: LogTable, key: LogTable.ForeignKey)] {
    tables.values.flatMap { child in
      child.foreignKeys.filter { $0.parent == parent }.map { (child, $0) }
    }
  }

  /// The columns of the tables of changes.
  func columns(of changes: Changeset) -> RecordedColumns {
    var columns: RecordedColumns = [:]
    for table in changes.tables.compactMap({ self[$0] }) { columns[table.name] = table.columns }
    return columns
  }

  /// Adds a foreign key, whose rows are its columns.
  private mutating func add(_ rows: [Row]) throws {
    let (child, parent): (String, String) = (rows[0]["child"], rows[0]["parent"])
    switch (self[child], self[parent]) {
    case (nil, nil): return
    case (let table?, nil):
      throw table.unloggable("it references \(parent), which is not. List both")
    case (nil, let table?):
      throw table.unloggable(
        "\(child) references it, whose rows would miss theirs when others delete them. List both")
    case (let table?, let other?):
      let columns = rows.compactMap { row in
        table.columns.firstIndex { $0.isSameIdentifier(as: row["from"]) }
      }
      let names = rows.compactMap { $0["to"] as String? }
      let group = try other.group(names, child: child)
      for (column, key) in zip(columns, group.columns)
      where table.affinities[column] != other.affinities[key] {
        throw table.unloggable(
          "its column \(table.columns[column]) references \(other.columns[key]) of \(other.name), which has "
            + "another type. Declare both alike", table.columns[column])
      }
      tables[child.lowercasedASCII]?.foreignKeys.append(
        LogTable.ForeignKey(
          columns: columns, parent: parent.lowercasedASCII, parentGroup: group))
    }
  }
}

extension LogTable {
  /// The unique columns that a foreign key references: those of the key, where it names none.
  fileprivate func group(_ names: [String], child: String) throws -> Group {
    if names.isEmpty { return keyGroup }
    let columns = names.compactMap { name in
      self.columns.firstIndex { $0.isSameIdentifier(as: name) }
    }
    let group = ([keyGroup] + uniqueGroups).first { Set($0.columns) == Set(columns) }
    guard let group else {
      throw unloggable(
        "\(child) references \(names.joined(separator: ", ")), which is no key of it")
    }
    return Group(
      columns: columns,
      collations: columns.map { column in
        group.collations[group.columns.firstIndex(of: column) ?? 0]
      })
  }
}

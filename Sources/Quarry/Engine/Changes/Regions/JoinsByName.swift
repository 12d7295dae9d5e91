// SQLite does not report the columns that `USING` and `NATURAL JOIN` compare, nor a table of which
// a statement reads no others:
//
//     SELECT book.title FROM book JOIN author USING (authorId)    -- reads `book(title)`
//
// So such a statement reads all columns of the tables that its text names. So does a view.
//
// See <https://www.sqlite.org/lang_select.html#the_from_clause>.

extension Statement {
  /// The region of the statement without associations.
  var ownRegion: DatabaseRegion {
    let region = effects.region
    guard owner.isInAccess else {
      // The views are not known.
      return sql.joinsByName || !effects.views.isEmpty ? .fullDatabase : region
    }
    let others = effects.reads.tables.filter { !database.isTable($0.name, in: $0.schema) }
    let views = effects.views.union(others.map(\.name))
    if views.isEmpty, !sql.joinsByName { return region }
    do {
      return try region.union(database.schema.regionOfJoinsByName(in: sql, views))
    } catch {
      return .fullDatabase
    }
  }
}

extension DatabaseSchemaReader {
  /// All columns of the tables that are named where the SQL, or a view that it reads, joins by
  /// name.
  ///
  /// - parameter names: Those of the views, and of others.
  fileprivate func regionOfJoinsByName(
    in sql: String, _ names: Set<String>
  ) throws -> DatabaseRegion {
    let catalogs = try catalogs(named: nil)
    var texts = sql.joinsByName ? [sql] : []
    for catalog in catalogs {
      let views = try joiningViews(of: catalog)
      if !views.isEmpty { texts += names.compactMap { views[$0.identifierKey] } }
    }
    if texts.isEmpty { return DatabaseRegion() }
    let objects = Dictionary(
      grouping: try catalogs.flatMap(objects).filter { ["table", "view"].contains($0.type) },
      by: \.name.identifierKey)
    var region = DatabaseRegion()
    var known: Set<BinaryText> = []
    while let text = texts.popLast() {
      for name in try text.names where known.insert(name).inserted {
        for object in objects[name] ?? [] {
          region.insert(column: nil, ofTable: object.name)
          if object.type == "view", let sql = object.sql { texts.append(sql) }
        }
        if let table = database.registeredTables[name] {
          region.insert(column: nil, ofTable: table)
        }
      }
    }
    return region
  }

  private func joiningViews(of catalog: AttachedSchema) throws -> [BinaryText: String] {
    if let views = catalog.joiningViews { return views }
    var views: [BinaryText: String] = [:]
    for object in try objects(of: catalog) where object.type == "view" {
      if let sql = object.sql, sql.joinsByName { views[object.name.identifierKey] = sql }
    }
    catalog.joiningViews = views
    return views
  }
}

extension StatementReads {
  /// The tables and views, some of them several times.
  fileprivate var tables: [(schema: String, name: String)] {
    var tables: [(schema: String, name: String)] = []
    forEach { schema, table, _ in
      if let last = tables.last, last == (schema, table) { return }
      tables.append((schema, table))
    }
    return tables
  }
}

extension String {
  fileprivate var joinsByName: Bool {
    let tokens = SQLTokens(self)
    return tokens.contains { token in
      guard case .word(let range) = token else { return false }
      return ["USING", "NATURAL"].contains(tokens.text(range).uppercased())
    }
  }

  /// The keys of all words, of names in quotes, and of texts.
  ///
  /// - Throws: `DatabaseError` where quotes are doubled.
  fileprivate var names: Set<BinaryText> {
    get throws {
      let tokens = SQLTokens(self)
      var names: Set<BinaryText> = []
      var endOfQuote: Int?
      for token in tokens {
        switch token {
        case .word(let range):
          names.insert(tokens.text(range).identifierKey)
        case .quoted(let range):
          if range.lowerBound - 1 == endOfQuote { throw DatabaseError(message: "doubled quotes") }
          endOfQuote = range.upperBound + 1
          names.insert(tokens.text(range).identifierKey)
        case .comment, .symbol:
          continue
        }
      }
      return names
    }
  }
}

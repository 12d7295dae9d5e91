// SQLite does not report the columns that `USING` and `NATURAL JOIN` compare, nor a table of which
// a statement reads no other columns:
//
//     SELECT book.title FROM book JOIN author USING (authorId)    -- reads `book(title)`
//
// So such a statement reads all columns of the tables that its text names. So does a view, and each
// statement that reads it: not all of them are reported, either.
//
// See <https://www.sqlite.org/lang_select.html#the_from_clause>.

extension Statement {
  /// The region of the statement without associations.
  func ownRegion() throws -> DatabaseRegion {
    // Outside of an access, the views are not known.
    guard owner.isInAccess else { return .fullDatabase }
    // The questions to the schema are none of the application.
    let joined = try database.unrecorded { try database.schema.regionOfJoinsByName(in: sql) }
    // The look at the schema has noticed what others have changed since the compilation.
    renewEffects(database)
    return effects.region.union(joined)
  }
}

extension DatabaseSchemaReader {
  /// All columns of the tables that are named where the SQL, or a view that it may read, joins by
  /// name.
  fileprivate func regionOfJoinsByName(in sql: String) throws -> DatabaseRegion {
    let catalogs = try catalogs(named: nil)
    let isJoin = sql.joinsByName
    if !isJoin, try catalogs.allSatisfy({ try !hasJoiningViews($0) }) { return DatabaseRegion() }
    wasAsked = true
    let objects = Dictionary(
      grouping: try catalogs.flatMap(knownObjects).filter { ["table", "view"].contains($0.type) },
      by: \.name.identifierKey)
    var region = DatabaseRegion()
    // What a join by name has named, and what other texts have.
    var (joined, named) = (Set<BinaryText>(), Set<BinaryText>())
    var texts = [(sql: sql, isJoin: isJoin)]
    while let text = texts.popLast() {
      for name in text.sql.names
      where text.isJoin ? joined.insert(name).inserted : named.insert(name).inserted {
        let found = objects[name] ?? []
        if text.isJoin, let table = found.first?.name ?? database.registeredTables[name]?.name {
          region.insert(column: nil, ofTable: table)
        }
        for view in found where view.type == "view" {
          let sql = view.sql ?? ""
          texts.append((sql, text.isJoin || sql.joinsByName))
        }
      }
    }
    return region
  }

  private func hasJoiningViews(_ catalog: AttachedSchema) throws -> Bool {
    if let hasJoiningViews = catalog.hasJoiningViews { return hasJoiningViews }
    let hasJoiningViews = try knownObjects(of: catalog).contains {
      $0.type == "view" && $0.sql?.joinsByName == true
    }
    if catalog.objects != nil { catalog.hasJoiningViews = hasJoiningViews }
    return hasJoiningViews
  }
}

extension String {
  /// Asked for each execution of observed SQL: makes no list.
  fileprivate var joinsByName: Bool {
    let tokens = SQLTokens(self)
    return tokens.contains { token in
      guard case .word(let range) = token, range.count == 5 || range.count == 7 else {
        return false
      }
      let word = tokens.text(range)
      return word.isSameIdentifier(as: "USING") || word.isSameIdentifier(as: "NATURAL")
    }
  }

  /// The keys of all words, of names in quotes, and of texts.
  fileprivate var names: Set<BinaryText> {
    Set(SQLTokens.items(self).compactMap { $0.name?.identifierKey })
  }
}

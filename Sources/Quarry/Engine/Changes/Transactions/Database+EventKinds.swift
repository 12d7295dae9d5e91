/// The kinds that observers are asked for, as long as the schema stays.
struct AnnouncedKinds {
  fileprivate let kinds: [DatabaseEventKind]
  fileprivate let generation: Int
}

extension Database {
  /// The kinds of a statement, with the generated columns of the tables that it updates.
  func announcedKinds(of statement: Statement) -> [DatabaseEventKind] {
    let kinds = statement.effects.kinds
    guard kinds.contains(where: \.isUpdate) else { return kinds }
    if let known = statement.announcedKinds, known.generation == schema.generation {
      return known.kinds
    }
    let announced = addingGeneratedColumns(to: kinds)
    statement.announcedKinds = AnnouncedKinds(kinds: announced, generation: schema.generation)
    return announced
  }

  /// Adds the generated columns of a table to its updates: any column may be one that they are
  /// computed from, and SQLite only announces the latter.
  ///
  /// See <https://www.sqlite.org/gencol.html>.
  func addingGeneratedColumns(to kinds: [DatabaseEventKind]) -> [DatabaseEventKind] {
    kinds.reduce(into: kinds) { announced, kind in
      guard case .update(let table, _) = kind else { return }
      for column in (try? schema.generatedColumns(ofTables: table)) ?? [] {
        announced.addUpdate(ofTable: table, column: column)
      }
    }
  }
}

import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

extension Toolkit {
  var insertByStatement: (Database) throws -> Void {
    let newcomers = Dataset.newcomers
    return { db in
      let statement = try db.cachedStatement(sql: "INSERT INTO newcomer VALUES (?, ?, ?, ?, ?, ?)")
      for newcomer in newcomers {
        try statement.execute(arguments: [
          newcomer.id, newcomer.name, newcomer.team,
          newcomer.score, newcomer.rating, newcomer.email,
        ])
      }
    }
  }

  var insertEncodingRecords: (Database) throws -> Void {
    let newcomers = Dataset.newcomers.map(EncodingNewcomer.init)
    return { db in
      for newcomer in newcomers {
        try newcomer.insert(db)
      }
    }
  }

  var insertCodableRecords: (Database) throws -> Void {
    let newcomers = Dataset.newcomers.map(CodableNewcomer.init)
    return { db in
      for newcomer in newcomers {
        try newcomer.insert(db)
      }
    }
  }

  /// The peer has no such method.
  var insertManyRecords: ((Database) throws -> Void)? {
    #if PEER
      return nil
    #else
      let newcomers = Dataset.newcomers.map(EncodingNewcomer.init)
      return { db in try EncodingNewcomer.insert(db, contentsOf: newcomers) }
    #endif
  }
}

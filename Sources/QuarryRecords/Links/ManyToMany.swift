public import Quarry

// The links of a many-to-many association: rows of the table between two tables, each with a
// foreign key to both.
//
// These two foreign keys identify links. Other columns of theirs are free: they are given when a
// link is added, and stay as they are as long as it exists.

extension TableRecord where Self: EncodableRecord {
  /// Links a record to this one. An existing link is not changed.
  ///
  /// ```swift
  /// struct Team: Codable, FetchableRecord, PersistableRecord {
  ///   static let roles = hasMany(PlayerRole.self)
  ///   static let players = hasMany(Player.self, through: roles, using: PlayerRole.player)
  ///   var id: Int64
  /// }
  ///
  /// // INSERT INTO "playerRole" ("teamId", "playerId", "position") VALUES (1, 2, 10)
  /// let team = try Team.find(db, key: 1)
  /// try team.add(db, player, to: Team.players, with: ["position": 10])
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter record: The record.
  /// - parameter association: The association, through the table of the links.
  /// - parameter columns: Values of other columns of the new link.
  /// - Returns: Whether a link was added: false if it existed.
  /// - Throws: `InvalidRequest` if the association does not go through a table with foreign keys to
  ///   both sides, if it is limited or grouped, if a record has no key yet, if both foreign keys
  ///   have a column for which the records have different values, or if the conditions of the
  ///   association leave out the new link. `DatabaseError` where the insertion fails. In each case,
  ///   nothing is added.
  @discardableResult
  public func add<Destination: TableRecord & EncodableRecord>(
    _ db: Database, _ record: Destination,
    to association: HasManyThroughAssociation<Self, Destination>,
    with columns: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> Bool { try add(db, [record], to: association, with: columns) == 1 }

  /// Links records to this one, all or none of them. Existing links are not changed.
  ///
  /// See ``add(_:_:to:with:)-(Database,Destination,_,_)``.
  ///
  /// - parameter db: A connection.
  /// - parameter records: The records.
  /// - parameter association: The association, through the table of the links.
  /// - parameter columns: Values of other columns, for each new link.
  /// - Returns: The number of links that were added.
  @discardableResult
  public func add<Destination: TableRecord & EncodableRecord>(
    _ db: Database, _ records: some Sequence<Destination>,
    to association: HasManyThroughAssociation<Self, Destination>,
    with columns: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> Int {
    let links = try PivotRows(db, of: self, association._association)
    var count = 0
    try db.inSavepoint {
      for record in records where try links.add(db, links.key(db, of: record), with: columns) {
        count += 1
      }
      return .commit
    }
    return count
  }

  /// Removes the links between a record and this one. The records are not deleted.
  ///
  /// ```swift
  /// // DELETE FROM "playerRole" WHERE "teamId" = 1 AND "playerId" = 2
  /// try team.remove(db, player, from: Team.players)
  /// ```
  ///
  /// - Returns: Whether there was a link.
  /// - Throws: See ``add(_:_:to:with:)-(Database,Destination,_,_)``.
  @discardableResult
  public func remove<Destination: TableRecord & EncodableRecord>(
    _ db: Database, _ record: Destination,
    from association: HasManyThroughAssociation<Self, Destination>
  ) throws -> Bool { try remove(db, [record], from: association) > 0 }

  /// Removes the links between records and this one, all or none of them.
  ///
  /// See ``remove(_:_:from:)-(Database,Destination,_)``.
  ///
  /// - Returns: The number of links that were removed.
  @discardableResult
  public func remove<Destination: TableRecord & EncodableRecord>(
    _ db: Database, _ records: some Sequence<Destination>,
    from association: HasManyThroughAssociation<Self, Destination>
  ) throws -> Int {
    let links = try PivotRows(db, of: self, association._association)
    var count = 0
    try db.inSavepoint {
      for record in records { count += try links.remove(db, links.key(db, of: record)) }
      return .commit
    }
    return count
  }

  /// Removes all links of the association. The linked records are not deleted.
  ///
  /// ```swift
  /// // DELETE FROM "playerRole" WHERE "teamId" = 1
  /// try team.removeAll(db, from: Team.players)
  /// ```
  ///
  /// The conditions of the association apply: `Team.players.filter(Column("score") < 10)` removes
  /// the links to some players.
  ///
  /// - Returns: The number of links that were removed.
  /// - Throws: See ``add(_:_:to:with:)-(Database,Destination,_,_)``.
  @discardableResult
  public func removeAll<Destination>(
    _ db: Database, from association: HasManyThroughAssociation<Self, Destination>
  ) throws -> Int { try PivotRows(db, of: self, association._association).removeAll(db) }

  /// Replaces the links of the association: afterwards, this record is linked to the given records,
  /// and to no others.
  ///
  /// ```swift
  /// try team.replaceAll(db, in: Team.players, with: [captain, keeper])
  /// ```
  ///
  /// Links to the given records are kept, with their other columns. Either all changes are made, or
  /// none.
  ///
  /// - parameter db: A connection.
  /// - parameter association: The association, through the table of the links.
  /// - parameter records: The records.
  /// - parameter columns: Values of other columns, for each new link.
  /// - Returns: The numbers of links that were added and removed.
  /// - Throws: See ``add(_:_:to:with:)-(Database,Destination,_,_)``. Also `InvalidRequest` if the
  ///   conditions of the association leave out an existing link to one of the records.
  @discardableResult
  public func replaceAll<Destination: TableRecord & EncodableRecord>(
    _ db: Database, in association: HasManyThroughAssociation<Self, Destination>,
    with records: some Sequence<Destination>,
    columns: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> (added: Int, removed: Int) {
    let links = try PivotRows(db, of: self, association._association)
    var counts = (added: 0, removed: 0)
    try db.inSavepoint {
      let keys = try records.map { try links.key(db, of: $0) }
      counts.removed = try links.removeAll(db, except: keys)
      for key in keys {
        if try links.add(db, key, with: columns) {
          counts.added += 1
        } else {
          try links.checkExisting(db, key)
        }
      }
      return .commit
    }
    return counts
  }
}

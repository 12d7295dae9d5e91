import QuarryRecords

@testable import Quarry

/// The persistence methods of a type of records.
struct PersistenceMethods<Person: WatchedPerson> {
  /// The conflict resolution that the methods get.
  let conflict: Database.ConflictResolution?
  typealias Call = PersistenceMethod.Call<Person>

  private var label: String { conflict.map { " OR \($0.rawValue)" } ?? "" }
  private var keyword: String { conflict.map { "OR \($0.rawValue) " } ?? "" }
  private var insertSQL: String {
    #"INSERT \#(keyword)INTO "person" ("id", "name") VALUES (?,?)"#
  }
  private var updateSQL: String { #"UPDATE \#(keyword)"person" SET "name"=? WHERE "id"=?"# }

  private func insertionSteps(_ sql: String, rowID: Int64) -> [String] {
    [
      "willSave", "save(", "willInsert", "insert(", sql, ")insert", "didInsert \(rowID)", ")save",
      "didSave",
    ]
  }

  private func updateSteps(_ columns: String, _ sql: String) -> [String] {
    [
      "willSave", "save(", "willUpdate \(columns)", "update(\(columns)", sql, ")update",
      "didUpdate", ")save", "didSave",
    ]
  }

  private static var allColumns: String { "id name rank" }

  /// A method that inserts a record without identifier, and the end of its statement.
  func insertion(
    _ name: String, _ tail: String = "", returns result: String = "", changesRecord: Bool = true,
    _ call: @escaping Call
  ) -> PersistenceMethod {
    PersistenceMethod(
      name + label, id: nil, rowID: 3, insertionSteps(insertSQL + tail, rowID: 3),
      result: result, changesRecord: changesRecord, call)
  }

  /// A method that inserts the column `name`.
  func insertionOfName(
    _ name: String, _ tail: String = "", returns result: String = "", changesRecord: Bool = true,
    _ call: @escaping Call
  ) -> PersistenceMethod {
    let sql = #"INSERT \#(keyword)INTO "person" ("name") VALUES (?)"# + tail
    return PersistenceMethod(
      name + label, id: nil, rowID: 3, insertionSteps(sql, rowID: 3),
      result: result, changesRecord: changesRecord, call)
  }

  /// A method that updates columns of Ann.
  func update(
    _ name: String, _ tail: String = "", columns: String? = nil, returns result: String = "",
    _ call: @escaping Call
  ) -> PersistenceMethod {
    PersistenceMethod(
      name + label, id: 1, rowID: 1, updateSteps(columns ?? Self.allColumns, updateSQL + tail),
      result: result, call)
  }

  /// A method that inserts a record without identifier, updates one that has a row, and inserts one
  /// that has none.
  ///
  /// - parameter result: what it returns for an identifier.
  func save(
    _ name: String, _ tail: String = "", changesRecord: Bool = true,
    returns result: (String) -> String = { _ in "" }, _ call: @escaping Call
  ) -> [PersistenceMethod] {
    let all = Self.allColumns
    let insertionAfterUpdate =
      [
        "willSave", "save(", "willUpdate \(all)", "update(\(all)", updateSQL + tail,
        "update failed",
      ]
      + insertionSteps(insertSQL + tail, rowID: 99).dropFirst(2)
    return [
      insertion(name, tail, returns: result("3"), changesRecord: changesRecord, call),
      update(name, tail, returns: result("1"), call),
      PersistenceMethod(
        name + " without row" + label, id: 99, rowID: 99, insertionAfterUpdate,
        result: result("99"), call),
    ]
  }

  /// A method that inserts a record without identifier, or overwrites the row of one that has.
  func upsert(
    _ name: String, _ tail: String, returns result: (String) -> String = { _ in "" },
    _ call: @escaping Call
  ) -> [PersistenceMethod] {
    let sql = insertSQL + " ON CONFLICT" + tail
    return [
      PersistenceMethod(
        name, id: nil, rowID: 3, insertionSteps(sql, rowID: 3), result: result("3"), call),
      PersistenceMethod(
        name + " in conflict", id: 1, rowID: 1, insertionSteps(sql, rowID: 1),
        result: result("1"), call),
    ]
  }

  /// A method that deletes Ann.
  func deletion(_ name: String, _ call: @escaping Call) -> PersistenceMethod {
    PersistenceMethod(
      name, id: 1, rowID: nil,
      [
        "willDelete", "delete(", #"DELETE FROM "person" WHERE "id"=?"#, ")delete",
        "didDelete true",
      ], result: "true", call)
  }
}

private let rank = [Column("rank")]
private let returningAll = " RETURNING *"
private let returningRanked = #" RETURNING "name", "rank""#
private let returningRank = #" RETURNING "rank""#
private let overwriting = #" DO UPDATE SET "name" = "excluded"."name" RETURNING "#

private func fetchRank(_ statement: Statement) throws -> String {
  try Int.fetchAll(statement).map { "\($0)" }.joined()
}

/// Text of what may be nil.
private func text(_ person: (some WatchedPerson)?) -> String { person?.text ?? "nothing" }

extension PersistenceMethods {
  private func named(_ id: String) -> String { "\(id) Eve" }
  private func ranked(_: String) -> String { "Eve ranks 7" }
  private func seven(_: String) -> String { "7" }

  /// What `inserted` and `saved` return of a record without identifier.
  private var copy: String { Person.takesIdentifier ? "3 Eve" : "nil Eve" }

  /// The methods of mutable records.
  var ofMutableRecords: [PersistenceMethod] {
    insertions + saves.flatMap { $0 } + updates + updatesOfChanges + [
      deletion("delete") { "\(try $0.delete($1))" }
    ]
  }

  private var insertions: [PersistenceMethod] {
    let conflict = conflict
    return [
      insertion("insert") {
        try $0.insert($1, onConflict: conflict)
        return ""
      },
      insertion("inserted", returns: copy, changesRecord: false) {
        try $0.inserted($1, onConflict: conflict).text
      },
      insertion("insertAndFetch", returningAll, returns: "3 Eve", changesRecord: false) {
        try $0.insertAndFetch($1, onConflict: conflict).text
      },
      insertion("insertAndFetch(as:)", returningRanked, returns: "Eve ranks 7") {
        try $0.insertAndFetch($1, onConflict: conflict, as: RankedPerson.self).text
      },
      insertion("insertAndFetch(selection:)", returningRank, returns: "7") {
        try $0.insertAndFetch($1, onConflict: conflict, selection: rank, fetch: fetchRank)
      },
      insertion("insertAndFetch(select:)", returningRank, returns: "7") {
        try $0.insertAndFetch($1, onConflict: conflict, fetch: fetchRank) { _ in rank }
      },
      insertionOfName("insert(columns:)") {
        try $0.insert($1, onConflict: conflict, columns: .nonNull)
        return ""
      },
      insertionOfName(
        "insertAndFetch(columns:)", returningAll, returns: "3 Eve", changesRecord: false
      ) {
        try $0.insertAndFetch($1, onConflict: conflict, columns: .nonNull).text
      },
    ]
  }

  private var saves: [[PersistenceMethod]] {
    let conflict = conflict
    return [
      save("save") {
        try $0.save($1, onConflict: conflict)
        return ""
      },
      save("saved", changesRecord: false, returns: { $0 == "3" ? copy : named($0) }) {
        try $0.saved($1, onConflict: conflict).text
      },
      save("saveAndFetch", returningAll, changesRecord: false, returns: named) {
        try $0.saveAndFetch($1, onConflict: conflict).text
      },
      save("saveAndFetch(as:)", returningRanked, returns: ranked) {
        try $0.saveAndFetch($1, onConflict: conflict, as: RankedPerson.self).text
      },
      save("saveAndFetch(selection:)", returningRank, returns: seven) {
        try $0.saveAndFetch($1, onConflict: conflict, selection: rank, fetch: fetchRank)
      },
    ]
  }

  private var updates: [PersistenceMethod] {
    let conflict = conflict
    return [
      update("update") {
        try $0.update($1, onConflict: conflict)
        return ""
      },
      update("update(columns:) by name", columns: "name") {
        try $0.update($1, onConflict: conflict, columns: ["name"])
        return ""
      },
      update("update(columns:)", columns: "name rank") {
        try $0.update($1, onConflict: conflict, columns: [Column("name"), Column("rank")])
        return ""
      },
      update("update(columns:) by function", columns: "name") {
        try $0.update($1, onConflict: conflict) { _ in [Column("name")] }
        return ""
      },
      update("updateAndFetch", returningAll, returns: "1 Eve") {
        try $0.updateAndFetch($1, onConflict: conflict).text
      },
      update("updateAndFetch(as:)", returningRanked, returns: "Eve ranks 7") {
        try $0.updateAndFetch($1, onConflict: conflict, as: RankedPerson.self).text
      },
      update("updateAndFetch(selection:)", returningRank, returns: "7") {
        try $0.updateAndFetch($1, onConflict: conflict, selection: rank, fetch: fetchRank)
      },
      update(
        "updateAndFetch(columns:) by name", returningRank, columns: "name", returns: "7"
      ) {
        try $0.updateAndFetch(
          $1, onConflict: conflict, columns: ["name"], selection: rank, fetch: fetchRank)
      },
      update("updateAndFetch(columns:)", returningRank, columns: "name", returns: "7") {
        try $0.updateAndFetch(
          $1, onConflict: conflict, columns: [Column("name")], selection: rank, fetch: fetchRank)
      },
    ]
  }

  private var updatesOfChanges: [PersistenceMethod] {
    let conflict = conflict
    return [
      update("updateChanges(modify:)", columns: "name", returns: "true") { person, db in
        let name = person.name
        person.name = "Ann"
        return "\(try person.updateChanges(db, onConflict: conflict) { $0.name = name })"
      },
      update("updateChanges(from:)", columns: "name", returns: "true") { person, db in
        let old = MutablePerson(id: person.id, name: "Ann", journal: PersonJournal())
        return "\(try person.updateChanges(db, onConflict: conflict, from: old))"
      },
      update("update(_:to:)", columns: "name", returns: "true") { person, db in
        let name = person.name
        person.name = "Ann"
        return "\(try person.update(db, onConflict: conflict, \.name, to: name))"
      },
      update("updateChangesAndFetch", returningAll, columns: "name", returns: "1 Eve") {
        let name = $0.name
        $0.name = "Ann"
        return text(try $0.updateChangesAndFetch($1, onConflict: conflict) { $0.name = name })
      },
      update(
        "updateChangesAndFetch(as:)", returningRanked, columns: "name", returns: "Eve ranks 7"
      ) {
        let name = $0.name
        $0.name = "Ann"
        let fetched = try $0.updateChangesAndFetch(
          $1, onConflict: conflict, as: RankedPerson.self
        ) { $0.name = name }
        return fetched?.text ?? "nothing"
      },
      update(
        "updateChangesAndFetch(selection:)", returningRank, columns: "name", returns: "7"
      ) {
        let name = $0.name
        $0.name = "Ann"
        return try $0.updateChangesAndFetch(
          $1, onConflict: conflict, selection: rank, fetch: fetchRank
        ) { $0.name = name } ?? "nothing"
      },
    ]
  }

  /// The methods of mutable records that have no conflict resolution.
  var ofMutableRecordsInConflict: [PersistenceMethod] {
    [
      insertion("insert(.doNothing)", " ON CONFLICT DO NOTHING", returns: "true") {
        "\(try $0.insert($1, onConflict: .doNothing))"
      },
      insertion(
        "inserted(.doNothing)", " ON CONFLICT DO NOTHING", returns: copy, changesRecord: false
      ) {
        text(try $0.inserted($1, onConflict: .doNothing))
      },
      insertion(
        "insertAndFetch(.doNothing)", #" ON CONFLICT("id") DO NOTHING RETURNING *"#,
        returns: "3 Eve", changesRecord: false
      ) {
        text(try $0.insertAndFetch($1, onConflict: .doNothing(on: ["id"])))
      },
    ]
      + upsert("upsert", overwriting + #""rowid""#) {
        try $0.upsert($1)
        return ""
      }
      + upsert("upsertAndFetch", overwriting + #"*, "rowid""#, returns: named) {
        try $0.upsertAndFetch($1).text
      }
      + upsert(
        "upsertAndFetch(as:)", overwriting + #""name", "rank", "rowid""#, returns: ranked
      ) {
        try $0.upsertAndFetch($1, as: RankedPerson.self).text
      }
      + upsert(
        "upsertAndFetch(onConflict:doUpdate:)", #"("id")"# + overwriting + #"*, "rowid""#,
        returns: named
      ) {
        try $0.upsertAndFetch($1, onConflict: ["id"], updating: .noColumnUnlessSpecified) {
          [Column("name").set(to: $0["name"])]
        }.text
      }
  }
}

extension PersistenceMethods where Person: PersistableRecord {
  /// The methods that records that are not mutable have instead of those of mutable ones.
  var ofFixedRecords: [PersistenceMethod] {
    let conflict = conflict
    return [
      insertion("insert") {
        try $0.insert($1, onConflict: conflict)
        return ""
      },
      insertion("insertAndFetch(as:)", returningRanked, returns: "Eve ranks 7") {
        try $0.insertAndFetch($1, onConflict: conflict, as: RankedPerson.self).text
      },
      insertion("insertAndFetch(selection:)", returningRank, returns: "7") {
        try $0.insertAndFetch($1, onConflict: conflict, selection: rank, fetch: fetchRank)
      },
      insertion("insertAndFetch(select:)", returningRank, returns: "7") {
        try $0.insertAndFetch($1, onConflict: conflict, fetch: fetchRank) { _ in rank }
      },
      insertionOfName("insert(columns:)") {
        try $0.insert($1, onConflict: conflict, columns: .nonNull)
        return ""
      },
    ]
      + save("save") {
        try $0.save($1, onConflict: conflict)
        return ""
      }
      + save("saveAndFetch(as:)", returningRanked, returns: ranked) {
        try $0.saveAndFetch($1, onConflict: conflict, as: RankedPerson.self).text
      }
      + save("saveAndFetch(selection:)", returningRank, returns: seven) {
        try $0.saveAndFetch($1, onConflict: conflict, selection: rank, fetch: fetchRank)
      }
  }

  /// Those without conflict resolution.
  var ofFixedRecordsInConflict: [PersistenceMethod] {
    [
      insertion("insert(.doNothing)", " ON CONFLICT DO NOTHING", returns: "true") {
        "\(try $0.insert($1, onConflict: .doNothing))"
      }
    ]
      + upsert("upsert", overwriting + #""rowid""#) {
        try $0.upsert($1)
        return ""
      }
      + upsert("upsertAndFetch", overwriting + #"*, "rowid""#, returns: named) {
        try $0.upsertAndFetch($1).text
      }
      + upsert(
        "upsertAndFetch(as:)", overwriting + #""name", "rank", "rowid""#, returns: ranked
      ) {
        try $0.upsertAndFetch($1, as: RankedPerson.self).text
      }
  }
}

import Foundation
import Quarry

func collation(_ db: Database) {
  let collation = DatabaseCollation("reversed") { lhs, rhs in
    lhs == rhs ? .orderedSame : lhs > rhs ? .orderedAscending : .orderedDescending
  }
  _ = DatabaseCollation("same", function: { _, _ in .orderedSame })
  let _: String = collation.name
  let _: DatabaseCollation.ID = collation.id
  let _: Set<DatabaseCollation.ID> = [collation.id]
  db.add(collation: collation)
  db.remove(collation: collation)
}

func predefinedCollations(_ db: Database) throws {
  let collations: [DatabaseCollation] = [
    .unicodeCompare, .caseInsensitiveCompare, .localizedCaseInsensitiveCompare,
    .localizedCompare, .localizedStandardCompare,
  ]
  for collation in collations {
    _ = try Player.order(Column("name").collating(collation)).fetchAll(db)
  }
}

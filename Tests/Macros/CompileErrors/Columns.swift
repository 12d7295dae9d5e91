import Foundation
import QuarryMacros

func otherTypes() {
  _ = Player.filter { $0.score == "ten" }  // error: compared with values of its type
  _ = Player.filter { $0.score > "ten" && $0.isActive }  // error: '>' is unavailable
  _ = Player.all().filter { $0.score != 1.5 }  // error: a typed column is compared with values
  _ = Player.filter { $0.score < $0.name }  // error: with columns of its type and table
  _ = Player.filter { $0.joined >= 1 }  // error: a typed column is compared with values of its type
  _ = Player.filter { $0.name == nil }  // error: 'nil' is not compatible
  _ = Player.filter { $0.level == .middle }  // error: type 'Level' has no member 'middle'
  _ = Player.filter { ["a"].contains($0.score) }  // error: elements have another type
  _ = Player.filter { $0.score.like("1%") }  // error: conform to 'TextInDatabase'
  _ = Player.filter { $0.name * 2 == "a" }  // error: a typed number combines
  _ = Player.filter { $0.score }  // error: cannot convert value of type 'TypedColumn<Player, Int>'
  _ = Player.filter { $0.isActive && $0.score }  // error: combined with conditions
  _ = Player.filter { $0.isActive || $0.name }  // error: combined with conditions
}

func otherTables() {
  _ = Player.filter { _ in Team.Columns.city == "Paris" }  // error: -> Typed<Team, Bool
  _ = Player.all().filter { _ in Team.Columns.city == "Paris" }  // error: -> Typed<Team, Bool
  _ = Player.filter { $0.teamId == Team.Columns.id }  // error: with columns of its type and table
  _ = Player.filter { $0.isActive && Team.Columns.id == 1 }  // error: on the records of its table
  _ = Player.joining(required: Player.team.filter { $0.name == "a" })  // error: no member 'name'
}

func otherAssignments(_ db: Database) throws {
  try Player.updateAll(db) { $0.score.set(to: "ten") }  // error: cannot convert value
  try Player.updateAll(db) { $0.score.set(to: nil) }  // error: 'nil' is not compatible
  try Player.updateAll(db) { $0.name += "a" }  // error: conform to 'ColumnExpression'
}

func misspeltColumns() {
  _ = Player.filter { $0.scroe > 3 }  // error: type 'Player.Columns' has no member 'scroe'
  _ = Player.order { $0.scroe }  // error: type 'Player.Columns' has no member 'scroe'
  _ = Player.select { ($0.name, $0.scroe) }  // error: type 'Player.Columns' has no member 'scroe'
}

func otherResults(_ db: Database) throws {
  let request = Player.select { ($0.name, $0.score) }
  let _: [(String, String)] = try request.fetchAll(db)  // error: cannot assign value
  let _: Int? = Row()[Player.Columns.name]  // error: conform to 'ColumnExpression'
}

func otherSubqueries() {
  let cities = Team.select { $0.city }
  _ = Player.filter { cities.contains($0.teamId) }  // error: with values of their type
}

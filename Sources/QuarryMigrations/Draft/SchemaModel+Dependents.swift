import Quarry

extension [SchemaModel.Object] {
  /// The views and triggers among these that change, or name one of the tables, also through views.
  func dependents(
    of tables: [String], isStale: (SchemaModel.Object) -> Bool = { _ in false }
  ) -> [SchemaModel.Object] {
    var names = Set(tables.map(\.asciiLowercased))
    var found: Set<String> = []
    var isComplete = false
    while !isComplete {
      isComplete = true
      for object in self where !found.contains(object.title) {
        let isAffected = object.tokens.contains { names.contains($0.name.asciiLowercased) }
        guard isStale(object) || isAffected else { continue }
        found.insert(object.title)
        if object.kind == "view" { names.insert(object.name.asciiLowercased) }
        isComplete = false
      }
    }
    return filter { found.contains($0.title) }
  }
}

// The names of the sources of a query.
//
// A source keeps the name that the user gave it, or the name of its table. Sources that would
// share a name are numbered, except the one that the user named. Queries have few sources: names
// are searched one by one.

extension Relation {
  /// The name that the user gave the source.
  var userName: String? {
    get throws {
      var userName: String?
      for alias in aliases {
        guard let name = alias.name else { continue }
        if let userName, !userName.isSameIdentifier(as: name) {
          throw InvalidRequest(
            "ambiguous alias: \(name). The alias of \(source.description) has another name, "
              + "too: \(userName). To fix this error, give it one TableAlias.")
        }
        userName = name
      }
      return userName
    }
  }
}

extension SelectPlan {
  /// Names the sources, and numbers those that would share a name.
  mutating func nameSources() throws {
    scope.names = sources.map { $0.userName ?? $0.source.name }
    var isShared = false
    for source in sources.indices {
      for other in 0..<source where isSame(source, other) {
        if let name = sources[source].userName, sources[other].userName != nil {
          throw InvalidRequest(
            "ambiguous alias: \(name). It names \(self.source(other).description), and "
              + "\(self.source(source).description). To fix this error, give them different names."
          )
        }
        isShared = true
      }
    }
    if isShared { numberSources() }
  }

  private mutating func numberSources() {
    let identities = scope.names
    // Names that are no source's yet may be given; those that are settled may not.
    var isSettled = sources.indices.map { source in
      sources[source].userName != nil
        || !sources.indices.contains { $0 != source && isSame($0, source) }
    }
    for first in identities.indices where !isSettled[first] {
      let radical = identities[first].withoutTrailingDigits
      for source in first..<identities.count
      where !isSettled[source] && identities[source].isSameIdentifier(as: identities[first]) {
        scope.names[source] = radical.numbered { isTaken($0, isSettled) }
        isSettled[source] = true
      }
    }
  }

  private func isSame(_ lhs: Int, _ rhs: Int) -> Bool {
    scope.names[lhs].isSameIdentifier(as: scope.names[rhs])
  }

  private func isTaken(_ name: String, _ isSettled: [Bool]) -> Bool {
    sources.indices.contains { isSettled[$0] && scope.names[$0].isSameIdentifier(as: name) }
  }
}

extension SelectPlan {
  /// Gives numbered names to the sources that have one of the names.
  mutating func rename(avoiding names: [String]) {
    for source in sources.indices where names.contains(where: name(of: source).isSameIdentifier) {
      let radical = name(of: source).withoutTrailingDigits
      let ownNames = sources.indices.map { name(of: $0) }
      scope.names = ownNames
      scope.names[source] = radical.numbered {
        (names + ownNames).contains(where: $0.isSameIdentifier)
      }
      scope.isQualified = true
    }
  }
}

extension String {
  /// With the first number that makes it a free name.
  fileprivate func numbered(unless isTaken: (String) -> Bool) -> String {
    var number = 1
    while isTaken("\(self)\(number)") { number += 1 }
    return "\(self)\(number)"
  }
}

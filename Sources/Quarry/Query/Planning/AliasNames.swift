/// The names of the sources of a query.
///
/// A source keeps the name that the user gave it, or the name of its table. Sources that would
/// share a name are numbered, except the one that the user named. Queries have few sources: names
/// are searched one by one.
struct AliasNames {
  private(set) var names: [String] = []
  private var areUsersNames: [Bool] = []

  func isNamedByUser(_ source: Int) -> Bool { areUsersNames[source] }

  mutating func reserveCapacity(_ count: Int) {
    names.reserveCapacity(count)
    areUsersNames.reserveCapacity(count)
  }

  /// Adds the next source.
  mutating func add(_ relation: Relation) throws {
    var userName: String?
    for alias in relation.aliases {
      guard let name = alias.name else { continue }
      if let userName, !userName.isSameIdentifier(as: name) {
        throw InvalidRequest(
          "ambiguous alias: \(name). The alias of \(relation.source.description) has another name, "
            + "too: \(userName). To fix this error, give it one TableAlias.")
      }
      userName = name
    }
    names.append(userName ?? relation.source.name)
    areUsersNames.append(userName != nil)
  }

  /// Numbers the sources that would share a name.
  mutating func resolve(_ sources: (Int) -> Source) throws {
    var isShared = false
    for source in names.indices {
      for other in names[..<source].indices where isSame(source, other) {
        if areUsersNames[source] && areUsersNames[other] {
          throw InvalidRequest(
            "ambiguous alias: \(names[source]). It names \(sources(other).description), and "
              + "\(sources(source).description). To fix this error, give them different names."
          )
        }
        isShared = true
      }
    }
    if isShared { number() }
  }

  private mutating func number() {
    let identities = names
    // Names that are no source's yet may be given; those that are settled may not.
    var isSettled = names.indices.map { source in
      areUsersNames[source] || !names.indices.contains { $0 != source && isSame($0, source) }
    }
    for first in identities.indices where !isSettled[first] {
      let radical = identities[first].withoutTrailingDigits
      var number = 1
      for source in first..<identities.count
      where !isSettled[source] && identities[source].isSameIdentifier(as: identities[first]) {
        var name = "\(radical)\(number)"
        while isTaken(name, isSettled) {
          number += 1
          name = "\(radical)\(number)"
        }
        names[source] = name
        isSettled[source] = true
      }
    }
  }

  private func isSame(_ lhs: Int, _ rhs: Int) -> Bool {
    names[lhs].isSameIdentifier(as: names[rhs])
  }

  private func isTaken(_ name: String, _ isSettled: [Bool]) -> Bool {
    names.indices.contains { isSettled[$0] && names[$0].isSameIdentifier(as: name) }
  }
}

extension SelectPlan {
  /// Gives numbered names to the sources that have one of the names.
  mutating func rename(avoiding names: [String]) {
    for source in sources.indices where names.contains(where: name(of: source).isSameIdentifier) {
      let radical = name(of: source).withoutTrailingDigits
      let taken = names + (sources.indices).map { name(of: $0) }
      var number = 1
      while taken.contains(where: "\(radical)\(number)".isSameIdentifier) { number += 1 }
      rename(source, to: "\(radical)\(number)")
    }
  }

  private mutating func rename(_ source: Int, to name: String) {
    scope.names = (sources.indices).map { $0 == source ? name : self.name(of: $0) }
    scope.isQualified = true
  }
}

/// The clauses of a kind in a request: most lists have one, which takes no array.
package struct ClauseList<Clause> {
  /// The only clause. The others are empty then.
  private(set) var single: Clause?
  private(set) var several: RunList<Clause> = []

  init(_ clauses: [Clause]) { several = RunList(clauses) }

  init(single clause: Clause) { single = clause }

  /// The clauses, without a copy if there are few.
  var array: [Clause] { if let single { [single] } else { several.array } }

  private mutating func makeSeveral() { if let clause = single.take() { several.append(clause) } }
}

extension ClauseList: Sendable where Clause: Sendable {}

extension ClauseList: ExpressibleByArrayLiteral {
  package init(arrayLiteral clauses: Clause...) { self.init(clauses) }
}

extension ClauseList: RandomAccessCollection {
  package var startIndex: Int { 0 }

  package var endIndex: Int { single == nil ? several.endIndex : 1 }

  package subscript(position: Int) -> Clause {
    if let single {
      precondition(position == 0)
      return single
    }
    return several[position]
  }
}

extension ClauseList: RangeReplaceableCollection {
  package init() {}

  package mutating func append(_ clause: Clause) {
    if isEmpty {
      single = clause
    } else {
      makeSeveral()
      several.append(clause)
    }
  }

  package mutating func append(contentsOf clauses: some Sequence<Clause>) {
    makeSeveral()
    several.append(contentsOf: clauses)
  }

  package mutating func replaceSubrange(_ range: Range<Int>, with clauses: some Collection<Clause>)
  {
    makeSeveral()
    several.replaceSubrange(range, with: clauses)
  }
}

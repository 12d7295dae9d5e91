import Quarry

/// An association of a graph: from a record to the values that are saved with it.
protocol GraphEdge<Value, Record>: Sendable {
  associatedtype Value
  associatedtype Record: MutablePersistableRecord

  /// Whether the associated records are saved before the record, which refers to them.
  var comesFirst: Bool { get }

  /// Saves the associated records of all values.
  func save(
    _ values: inout [Value], _ record: WritableKeyPath<Value, Record>, at paths: [String],
    _ session: GraphSession) throws

  /// Checks that records still have the keys that this association has handed to them, when others
  /// have handed theirs.
  func checkKeys(
    of values: [Value], _ record: WritableKeyPath<Value, Record>, at paths: [String],
    _ session: GraphSession) throws

  /// Treats the rows that belong to rows which are about to be removed.
  func removeChildren(of rows: [StoredRow], at path: String, _ session: GraphSession) throws

  /// Whether the associated values are saved with the same columns.
  func isSame(_ lhs: Value, _ rhs: Value) -> Bool
}

extension GraphEdge {
  func checkKeys(
    of values: [Value], _ record: WritableKeyPath<Value, Record>, at paths: [String],
    _ session: GraphSession
  ) {}
}

/// The property with the associated values.
struct GraphProperty<Value, Child>: Sendable {
  let isList: Bool
  let get: @Sendable (Value) -> [Child]
  let set: @Sendable (inout Value, [Child]) -> Void

  init(_ path: any WritableKeyPath<Value, [Child]> & Sendable) {
    isList = true
    get = { $0[keyPath: path] }
    set = { $0[keyPath: path] = $1 }
  }

  init(_ path: any WritableKeyPath<Value, Child?> & Sendable) {
    isList = false
    get = { $0[keyPath: path].map { [$0] } ?? [] }
    set = { $0[keyPath: path] = $1.first }
  }

  init(_ path: any WritableKeyPath<Value, Child> & Sendable) {
    isList = false
    get = { [$0[keyPath: path]] }
    set = { $0[keyPath: path] = $1[0] }
  }

  func isSame(_ lhs: Value, _ rhs: Value, _ isSame: (Child, Child) -> Bool) -> Bool {
    let (lhs, rhs) = (get(lhs), get(rhs))
    return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy(isSame)
  }
}

/// The associated values of several values, in one list.
struct FlatChildren<Value, Child> {
  var children: [Child] = []
  var paths: [String] = []
  /// The index of the value that each one comes from.
  var owners: [Int] = []

  init(
    _ property: GraphProperty<Value, Child>, of values: [Value], at paths: [String], _ name: String
  ) {
    for index in values.indices {
      for (position, child) in property.get(values[index]).enumerated() {
        children.append(child)
        self.paths.append("\(paths[index]).\(name)" + (property.isList ? "[\(position)]" : ""))
        owners.append(index)
      }
    }
  }

  /// Puts the values back where they come from.
  func restore(_ property: GraphProperty<Value, Child>, in values: inout [Value]) {
    var lists = [[Child]](repeating: [], count: values.count)
    for (child, owner) in zip(children, owners) { lists[owner].append(child) }
    for index in values.indices where !lists[index].isEmpty {
      property.set(&values[index], lists[index])
    }
  }
}

public import Quarry

/// A list that has changed, and how.
///
/// ```swift
/// let cancellable = observation.differences().start(in: dbPool) { error in
///   show(error)
/// } onChange: { change in
///   for case .remove(let offset, _, _) in change.difference.reversed() { … }
///   for element in change.updates { … }
/// }
/// ```
public struct ListChange<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  /// The list after the change.
  public let elements: [Element]

  /// The elements that were inserted and removed, by identity: an element that has moved is both,
  /// and each refers to the other.
  public let difference: CollectionDifference<Element>

  /// The elements that stay in the list with a changed value, in the order of the list.
  public let updates: [Element]

  /// Whether nothing differs.
  public var isEmpty: Bool { difference.isEmpty && updates.isEmpty }
}

extension ListChange: Equatable where Element: Equatable {}

extension ListChange where Element: Equatable {
  /// Compares two lists. The identities of each list should be unique.
  init(from old: [Element], to new: [Element]) {
    elements = new
    difference = Self.difference(from: old, to: new)
    let oldElements = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    updates = new.filter { element in oldElements[element.id].map { $0 != element } ?? false }
  }

  private static func difference(
    from old: [Element], to new: [Element]
  ) -> CollectionDifference<Element> {
    let changes = new.map(\.id).difference(from: old.map(\.id)).inferringMoves()
      .map { change -> CollectionDifference<Element>.Change in
        switch change {
        case .insert(let offset, _, let source):
          .insert(offset: offset, element: new[offset], associatedWith: source)
        case .remove(let offset, _, let target):
          .remove(offset: offset, element: old[offset], associatedWith: target)
        }
      }
    // The changes are those of a difference: they fit together.
    return CollectionDifference(changes) ?? new.difference(from: old)
  }
}

extension ValueReducers {
  /// Reports how lists change. See `ValueObservation.differences()`.
  public struct Differences<Base: ValueReducer, Element: Identifiable & Equatable & Sendable>:
    ValueReducer
  where Base.Value == [Element], Element.ID: Sendable {
    var base: Base
    private var last: [Element]?

    init(base: Base) { self.base = base }

    /// Fetches from the database.
    public func _fetch(_ db: Database) throws -> Base._Fetched { try base._fetch(db) }

    /// Compares the list of the base with the last one.
    public mutating func _value(_ fetched: Base._Fetched) throws -> ListChange<Element>? {
      guard let elements = try base._value(fetched) else { return nil }
      let change = ListChange(from: last ?? [], to: elements)
      defer { last = elements }
      return last != nil && change.isEmpty ? nil : change
    }
  }
}

extension ValueObservation {
  /// Reports the changes of a list: inserted, removed, and moved elements, by their identity, and
  /// updated elements.
  ///
  /// ```swift
  /// let changes = ValueObservation
  ///   .tracking { db in try Player.order { $0.name }.fetchAll(db) }
  ///   .differences()
  /// ```
  ///
  /// The first change begins with the empty list. A list that is equal to the last one is not
  /// reported. Lists are compared outside of accesses to the database, in a time that grows with
  /// their length times the number of changes.
  public func differences<Element: Identifiable & Equatable & Sendable>() -> ValueObservation<
    ValueReducers.Differences<Reducer, Element>
  > where Reducer.Value == [Element], Element.ID: Sendable {
    mapReducer { ValueReducers.Differences(base: $0) }
  }
}

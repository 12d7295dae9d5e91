/// A list that grows by copies, at both ends: `list = list + element`, over and over, takes almost
/// linear time.
///
/// Requests grow like that, and SQL in parentheses. The elements stand in runs, the short ones at
/// both ends, and each one longer than the next towards an end: what is added is joined with the
/// short ones only. Short lists are one array.
package struct RunList<Element> {
  private var head: [Element]
  private var tail: [[Element]] = []

  private static var shortCount: Int { 32 }

  init(_ elements: [Element]) { head = elements }

  /// The elements, without a copy if there are few.
  var array: [Element] { tail.isEmpty ? head : Array(self) }

  private mutating func append(run: [Element]) {
    var run = run
    while let last = tail.last, last.count <= run.count {
      run = last + run
      tail.removeLast()
    }
    if tail.isEmpty, head.count <= Swift.max(run.count, Self.shortCount - run.count) {
      head += run
    } else {
      tail.append(run)
    }
  }

  private mutating func prepend(run: [Element]) {
    var run = run
    var rest = [head] + tail
    while let first = rest.first,
      first.count <= run.count || run.count + first.count < Self.shortCount
    {
      run += first
      rest.removeFirst()
    }
    head = run
    tail = rest
  }
}

extension RunList: Sendable where Element: Sendable {}

extension RunList: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension RunList: RandomAccessCollection {
  package var startIndex: Int { 0 }

  package var endIndex: Int { tail.reduce(head.count) { $0 + $1.count } }

  package subscript(position: Int) -> Element {
    if position < head.count { return head[position] }
    var position = position - head.count
    var run = 0
    while position >= tail[run].count {
      position -= tail[run].count
      run += 1
    }
    return tail[run][position]
  }
}

extension RunList: RangeReplaceableCollection {
  package init() { head = [] }

  package mutating func reserveCapacity(_ count: Int) { head.reserveCapacity(count) }

  package mutating func append(_ element: Element) {
    if tail.isEmpty, head.count < Self.shortCount {
      head.append(element)
    } else {
      append(run: [element])
    }
  }

  package mutating func append(contentsOf elements: some Sequence<Element>) {
    guard let list = elements as? Self else { return append(run: Array(elements)) }
    if isEmpty {
      self = list
    } else if list.count > count {
      let run = array
      self = list
      prepend(run: run)
    } else {
      append(run: list.array)
    }
  }

  package mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    head = array
    tail = []
    head.replaceSubrange(range, with: elements)
  }
}

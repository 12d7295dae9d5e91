/// Elements that are taken in the order of their arrival.
struct WaitingLine<Element> {
  private var elements: [Element?] = []
  private var start = 0

  var count: Int { elements.count - start }
  var first: Element? { start < elements.count ? elements[start] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() {
    elements[start] = nil
    start += 1
    guard start > 64, start * 2 > elements.count else { return }
    elements.removeFirst(start)
    start = 0
  }
}

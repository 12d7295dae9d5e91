import Quarry

func cursor<C: Cursor<Int>>(_ cursor: C) throws {
  let _: Int? = try cursor.next()
  try cursor.forEach { (_: Int) in }
  try cursor.forEach { value in if value > 1 { throw CancellationError() } }
  let _: Bool = try cursor.isEmpty
  let _: Bool = try cursor.contains(where: { $0 > 1 })
  let _: Bool = try cursor.contains(1)
  let _: EnumeratedCursor<C> = cursor.enumerated()
  let _: FilterCursor<C> = cursor.filter { $0 > 1 }
  let _: Int? = try cursor.first(where: { $0 > 1 })
  let _: MapCursor<FilterCursor<MapCursor<C, Int?>>, Int> = cursor.compactMap { Int("\($0)") }
  let _: DropWhileCursor<C> = cursor.drop(while: { $0 > 1 })
  let _: DropFirstCursor<C> = cursor.dropFirst(2)
  let _: DropFirstCursor<C> = cursor.dropFirst()
  let _: [Int] = try cursor.dropLast(2)
  let _: [Int] = try cursor.dropLast()
  let _: FlattenCursor<MapCursor<C, AnyCursor<Int>>> = cursor.flatMap { [$0, $0] }
  let _: FlattenCursor<MapCursor<C, AnyCursor<Int>>> = cursor.flatMap { AnyCursor([$0]) }
  let _: MapCursor<C, String> = cursor.map { "\($0)" }
  let _: MapCursor<C, String> = cursor.map(String.init)
  let _: Int? = try cursor.max(by: <)
  let _: Int? = try cursor.min(by: { $0 < $1 })
  let _: Int? = try cursor.max()
  let _: Int? = try cursor.min()
  let _: PrefixCursor<C> = cursor.prefix(2)
  let _: PrefixWhileCursor<C> = cursor.prefix(while: { $0 < 2 })
  let _: Int = try cursor.reduce(0, +)
  let _: [Int] = try cursor.reduce(into: []) { result, element in result.append(element) }
  let _: [Int] = try cursor.suffix(2)
}

func joinedCursors(
  _ cursors: AnyCursor<AnyCursor<Int>>, _ lists: AnyCursor<[Int]>, _ names: AnyCursor<String>
) throws {
  let _: FlattenCursor<AnyCursor<AnyCursor<Int>>> = cursors.joined()
  let _: FlattenCursor<MapCursor<AnyCursor<[Int]>, AnyCursor<Int>>> = lists.joined()
  let _: String = try names.joined()
  let _: String = try names.joined(separator: ", ")
}

func anyCursor(_ base: some Cursor<Int>) throws {
  let _: AnyCursor<Int> = AnyCursor(base)
  let _: AnyCursor<Int> = AnyCursor(iterator: [1, 2].makeIterator())
  let _: AnyCursor<Int> = AnyCursor([1, 2])
  var count = 0
  let cursor: AnyCursor<Int> = AnyCursor {
    count += 1
    return count > 3 ? nil : count
  }
  let _: Int? = try cursor.next()
}

func cursorTypes<Base: Cursor<Int>>(_ base: Base) throws {
  let _: Int? = try base.dropFirst().next()
  let _: Int? = try base.drop(while: { $0 > 1 }).next()
  let _: (Int, Int)? = try base.enumerated().next()
  try base.enumerated().forEach { index, element in
    let _: (Int, Int) = (index, element)
  }
  let _: Int? = try base.filter { $0 > 1 }.next()
  try base.filter { $0 > 1 }.forEach { (_: Int) in }
  let _: Int? = try base.flatMap { [$0] }.next()
  let _: String? = try base.map { "\($0)" }.next()
  try base.map { "\($0)" }.forEach { (_: String) in }
  let _: Int? = try base.prefix(1).next()
  let _: Int? = try base.prefix(while: { $0 > 1 }).next()
  let _: [String] = try Array(base.filter { $0 > 1 }.map { "\($0)" }.dropFirst())
}

/// A cursor of an application: `next` is enough.
final class Countdown: Cursor {
  var count = 3

  func next() throws -> Int? {
    defer { count -= 1 }
    return count >= 0 ? count : nil
  }
}

func existentialCursors(_ cursor: any Cursor<Int>) throws -> [Int] {
  var elements: [Int] = []
  while let element = try cursor.next() { elements.append(element) }
  return elements
}

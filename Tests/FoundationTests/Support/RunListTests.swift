import Testing

@testable import Quarry

@Suite("Lists that grow by copies")
struct RunListTests {
  @Test(arguments: 0..<8)
  func `a list has the elements of an array, however it grew`(seed: Int) {
    var list: RunList<Int> = []
    var array: [Int] = []
    for step in 0..<300 {
      let other = (0..<((step * 7 + seed * 13) % 50)).map { $0 + step }
      switch (step + seed) % 4 {
      case 0: list += other
      case 1: list = list + RunList(other)
      case 2: list = [step] + list
      default: list.append(step)
      }
      switch (step + seed) % 4 {
      case 0, 1: array += other
      case 2: array = [step] + array
      default: array.append(step)
      }
    }
    #expect(list.array == array)
    #expect(list.count == array.count)
    #expect(list.map { $0 } == array)
    #expect(array.indices.allSatisfy { list[$0] == array[$0] })
  }

  @Test
  func `a list that was copied stays as it was`() {
    let lists = (0..<200).reduce(into: [RunList<Int>()]) { lists, number in
      lists.append(lists[lists.count - 1] + [number])
    }
    #expect(lists.indices.allSatisfy { lists[$0].array == Array(0..<$0) })
    #expect((lists[100] + [7]).last == 7)
    #expect(lists[101].last == 100)
  }
}

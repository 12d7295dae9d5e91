import Testing

@testable import Quarry

@Suite("Lists of clauses")
struct ClauseListTests {
  @Test(arguments: 0..<6)
  func `a list has the elements of an array, however it grew`(seed: Int) {
    for count in 0..<6 {
      var list = seed == 0 ? ClauseList(single: -1) : []
      var array = seed == 0 ? [-1] : []
      for step in 0..<count {
        switch (step + seed) % 4 {
        case 0:
          list += [step, step + 10]
          array += [step, step + 10]
        case 1:
          list.insert(step, at: 0)
          array.insert(step, at: 0)
        case 2 where !array.isEmpty:
          list.removeLast()
          array.removeLast()
        default:
          list.append(step)
          array.append(step)
        }
        #expect(list.array == array)
        #expect(list.map { $0 } == array)
        #expect(list.count == array.count)
        #expect(array.indices.allSatisfy { list[$0] == array[$0] })
      }
    }
  }

  @Test
  func `a list that was copied stays as it was`() {
    let one = ClauseList(single: 1)
    let two = one + [2]
    #expect(one.array == [1])
    #expect(two.array == [1, 2])
    #expect((two + [3]).array == [1, 2, 3])
    #expect(two.array == [1, 2])
  }
}

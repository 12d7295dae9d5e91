import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

struct StatementArgumentsTests {
  @Test(
    arguments: [
      ([], "[]"),
      ([1, "a", nil], #"[1, "a", NULL]"#),
      (["a": 1], #"["a": 1]"#),
      (["b": 1, "a": nil], #"["b": 1, "a": NULL]"#),
      ([1] + ["z": nil], #"["z": NULL, 1]"#),
    ] as [(StatementArguments, String)])
  func `description starts with names`(arguments: StatementArguments, description: String) {
    #expect(arguments.description == description)
  }

  @Test func `sequences make lists`() {
    #expect(StatementArguments([1, 2]) == [1, 2])
    #expect(StatementArguments([1, nil]) == [1, nil])
    let values: [(any DatabaseValueConvertible)?] = [1, "a", nil]
    #expect(StatementArguments(values) == [1, "a", nil])
    #expect(StatementArguments(Set(["a"])) == ["a"])
    #expect(StatementArguments((1...2).lazy.map { $0 * 10 }) == [10, 20])
  }

  @Test func `dictionaries and pairs make names`() {
    let dictionary: [String: (any DatabaseValueConvertible)?] = ["b": 1, "a": nil]
    #expect(StatementArguments(dictionary).description == #"["a": NULL, "b": 1]"#)
    let pairs: [(String, (any DatabaseValueConvertible)?)] = [("b", 1), ("a", nil), ("b", 2)]
    #expect(StatementArguments(pairs).description == #"["b": 2, "a": NULL]"#)
  }

  @Test func `any values must be convertible`() {
    #expect(StatementArguments([1, "a", NSNull()] as [Any]) == [1, "a", nil])
    #expect(StatementArguments([1, NSObject()] as [Any]) == nil)
    #expect(StatementArguments(["a": 1] as [AnyHashable: Any]) == ["a": 1])
    #expect(
      StatementArguments(["a": NSNull(), "b": Int?.none as Any] as [AnyHashable: Any])
        == ["a": nil, "b": nil])
    #expect(StatementArguments([Int?.none as Any, Int?.some(1) as Any]) == [nil, 1])
    #expect(StatementArguments([] as [Any]) == [])
    #expect(StatementArguments([:] as [AnyHashable: Any]) == [:])
    #expect(StatementArguments(["a": NSObject()] as [AnyHashable: Any]) == nil)
    #expect(StatementArguments([1: "a"] as [AnyHashable: Any]) == nil)
  }

  @Test func `empty arguments have neither list nor names`() {
    #expect(StatementArguments().isEmpty)
    #expect(!([1] as StatementArguments).isEmpty)
    #expect(!(["a": 1] as StatementArguments).isEmpty)
  }

  @Test func `equality ignores the order of names`() {
    let lhs: StatementArguments = ["a": 1, "b": 2]
    let rhs: StatementArguments = ["b": 2, "a": 1]
    #expect(lhs == rhs)
    #expect(lhs.hashValue == rhs.hashValue)
    #expect(lhs != ["a": 1, "b": 3])
    #expect(lhs != ["a": 1])
    #expect([1, 2] as StatementArguments != [2, 1])
    #expect([1] as StatementArguments == [1.0])
  }

  @Test func `addition keeps both operands`() {
    let arguments: StatementArguments = [1] + ["a": 2] + [3] + ["b": 4]
    #expect(arguments.values == [1.databaseValue, 3.databaseValue])
    #expect(arguments.value(named: "a") == 2.databaseValue)
    #expect(arguments.value(named: "b") == 4.databaseValue)
    #expect(arguments.value(named: "c") == nil)
    #expect(arguments.hasNames)

    var sum: StatementArguments = [1]
    sum += [2]
    #expect(sum == [1, 2])
  }

  @Test func `overflow addition replaces names`() {
    let arguments = ["a": 1, "b": 2] as StatementArguments &+ ["a": 3]
    #expect(arguments == ["a": 3, "b": 2])
  }

  @Test func `literals may repeat a name and have nil`() {
    let arguments: StatementArguments = ["a": 1, "b": nil, "a": "x"]
    #expect(arguments.description == #"["a": "x", "b": NULL]"#)
    #expect(([nil, nil] as StatementArguments).description == "[NULL, NULL]")
    #expect(([:] as StatementArguments).description == "[]")
    #expect(
      ([1.5, true, Data([1, 2])] as StatementArguments).description == "[1.5, 1, Data(2 bytes)]")
  }

  @Test func `overflow addition keeps lists and other names`() {
    let left: StatementArguments = [1] + ["a": 1, "b": 2]
    let right: StatementArguments = [2] + ["b": nil, "c": 4]
    #expect((left &+ right).description == #"["a": 1, "b": NULL, "c": 4, 1, 2]"#)
    #expect(left.description == #"["a": 1, "b": 2, 1]"#)
  }

  @Test func `appending returns replaced values`() {
    var arguments: StatementArguments = ["a": 1, "b": nil]
    #expect(arguments.append(contentsOf: ["a": 2, "c": 3]) == ["a": 1.databaseValue])
    #expect(arguments.append(contentsOf: ["b": 2]) == ["b": .null])
    #expect(arguments.append(contentsOf: [1]) == [:])
    #expect(arguments.description == #"["a": 2, "b": 2, "c": 3, 1]"#)
  }

  @Test func `adding a name twice stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = (["a": 1] as StatementArguments) + ["a": 2]
    }
    expectPrecondition("already defined statement argument: a", in: result)
  }
}

import Testing

@testable import Quarry

struct KeyTableTests {
  private enum Key: CodingKey { case id, name, country }

  private enum OnlyKey: CodingKey { case id }

  private struct NameKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  @Test func `Keys of one byte are numbered by the byte`() {
    let table = KeyTable(Key.self, ContainerBox())
    let numbers = [Key.country, .id, .name, .id].map { table.number(of: $0) }
    #expect(numbers == [2, 0, 1, 0])
  }

  @Test func `The only key of a type is number zero`() {
    let table = KeyTable(OnlyKey.self, ContainerBox())
    #expect(table.number(of: OnlyKey.id) == 0)
  }

  @Test func `Other keys are numbered in the order of their first use`() {
    let table = KeyTable(NameKey.self, ContainerBox())
    let names = ["id", "name", "id", "country", "name", "id"]
    #expect(names.map { table.number(of: NameKey(stringValue: $0)) } == [0, 1, 0, 2, 1, 0])
  }

  @Test func `The columns of many keys are remembered`() {
    let table = KeyTable(NameKey.self, ContainerBox())
    for index in 0..<100 {
      let number = table.number(of: NameKey(stringValue: "\(index)"))
      #expect(table.position(number) == nil)
      #expect(table.columnName(number) == nil)
      table.setPosition(number, 99 - index)
      table.setColumnName(number, "column\(index)")
    }
    for index in [99, 0, 50, 16, 17] {
      let number = table.number(of: NameKey(stringValue: "\(index)"))
      #expect(table.position(number) == 99 - index)
      #expect(table.columnName(number) == "column\(index)")
    }
  }

  @Test func `A coder is known for the type of its property`() {
    let table = KeyTable(Key.self, ContainerBox())
    let coder = PropertyDecoder<Int>({ _ in 1 }, ifPresent: { _ in nil })
    table.setCoder(1, for: Int.self, coder)
    #expect(table.coder(1, for: Int.self) === coder)
    #expect(table.coder(1, for: String.self) == nil)
    #expect(table.coder(2, for: Int.self) == nil)
    #expect(table.coder(200, for: Int.self) == nil)
  }

  @Test func `A table knows whether its container is kept`() {
    let encoder = RecordEncoder(Record.self)
    let table = KeyedRecordEncoding(encoder, Key.self)
    #expect(!table.isShared())
    let container = table.container(Key.self)
    withExtendedLifetime(container) { #expect(table.isShared()) }
    withExtendedLifetime(encoder) {}
  }

  private final class Content {}

  private struct Container {
    let content: Content
  }

  @Test func `A box knows whether somebody has kept its container`() {
    let box = ContainerBox.make(for: Container.self)
    let content = Content()
    box.fill(Container(content: content))
    #expect(box.isShared())
    let other = ContainerBox.make(for: Container.self)
    other.fill(Container(content: Content()))
    #expect(!other.isShared())
    let kept = other.container(Container.self)
    #expect(other.isShared())
    withExtendedLifetime((content, kept)) {}
  }
}

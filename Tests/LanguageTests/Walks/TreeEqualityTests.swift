import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

/// Requests and expressions are equal by value.
struct TreeEqualityTests {
  private static let title = Column("title")
  private static let year = Column("year")

  static let expressions: [@Sendable () -> SQLExpression] = [
    { year == 1 }, { year == 2 }, { year == nil }, { year != 1 }, { year === 1 }, { title == 1 },
    { year > 1 }, { year >= 1 }, { year + 1 }, { year * 1 }, { -year }, { ~year },
    { year == 1 && title == "Emma" }, { year == 1 || title == "Emma" },
    { !(year == 1 && year > 2) },
    { title.like("E%") }, { title.like("E%", escape: "!") }, { !title.like("E%") },
    { title.glob("E%") }, { (1...2).contains(year) }, { !(1...2).contains(year) },
    { [1, 2].contains(year) }, { [1, 2, 3].contains(year) }, { [1, 3].contains(year) },
    { ![1, 2].contains(year) }, { title.collating(.nocase) }, { title.collating(.binary) },
    { cast(year, as: .text) }, { cast(year, as: .integer) }, { abs(year) }, { length(title) },
    { max(year) }, { count(year) }, { count(distinct: year) },
    { SQLCase().when(year > 1, then: 2).sqlExpression },
    { SQLCase().when(year > 1, then: 2).else(3).sqlExpression },
    { rank().over(orderBy: year) }, { rank().over(orderBy: year.desc) },
    { rank().over(partitionBy: year) }, { rank().over("w") },
    { SQL("year > \(1)").sqlExpression }, { SQL("year > \(2)").sqlExpression },
    { Book.select(title).sqlExpression }, { Book.select(year).sqlExpression },
    { Book.select(title).contains(title) }, { Book.select(title).exists() },
    { Book.filter(year == 1).exists() }, { !Book.select(title).exists() },
    { JSONColumn("info")["a"] }, { SQLRowValue(year, title).sqlExpression },
  ]

  @Test(arguments: expressions.indices)
  func `expressions that are built twice are equal, others differ`(_ index: Int) {
    for (other, make) in Self.expressions.enumerated() {
      let isSame = Self.expressions[index]().isSame(as: make())
      #expect(isSame == (index == other), "\(index), \(other)")
    }
  }

  /// Without the number of the orderings, the bytes of the ordering and of the column would be
  /// those of a second element.
  @Test func `the orderings of a function are no other parts of the tree`() {
    let call = SQLExpression.FunctionCall(name: "f", arguments: [])
    var ordered = call
    ordered.orderings = [SQLOrdering(.expression(Self.year.sqlExpression, .unspecified))]
    let one = SQL(elements: [
      .expression(SQLExpression(.function(call))), .expression(Self.year.sqlExpression),
      .raw("\u{1}a\0\u{1}x", []),
    ])
    let other = SQL(elements: [
      .expression(SQLExpression(.function(ordered))), .identifier("a"), .raw("x", []),
    ])
    #expect(!one.isSame(as: other))
    #expect(other.isSame(as: other))
  }

  static let requests: [@Sendable () -> QueryInterfaceRequest<Book>] = [
    { Book.all() }, { Book.filter(key: 1) }, { Book.filter(key: 2) },
    { Book.filter(keys: [1, 2]) },
    { Book.all().distinct() }, { Book.limit(1) }, { Book.limit(1, offset: 1) }, { Book.limit(2) },
    { Book.order(title) }, { Book.order(title.desc) }, { Book.order(title).reversed() },
    { Book.all().orderByPrimaryKey() }, { Book.all().withStableOrder() },
    { Book.select(title) }, { Book.select(title.forKey("t")) }, { Book.select(title.forKey("u")) },
    { Book.select(.allColumns(excluding: ["id"])) }, { Book.all().group(title) },
    { Book.all().group(title).having(year > 1) }, { Book.joining(required: Book.author) },
    { Book.joining(optional: Book.author) }, { Book.including(required: Book.author) },
    { Book.including(required: Book.author.filter(Column("name") == "Jane Austen")) },
    { Book.including(all: Book.reviews) },
    { Book.including(all: Book.reviews.order(Column("id"))) },
    { Book.annotated(with: Book.reviews.count) }, { Book.annotated(withRequired: Book.author) },
    { Book.annotated(with: Book.reviews.max(Column("stars"))) },
  ]

  @Test(arguments: requests.indices)
  func `requests that are built twice are equal and have one hash value, others differ`(
    _ index: Int
  ) {
    let relation = Self.requests[index]().relation
    for (other, make) in Self.requests.enumerated() {
      let isSame = relation == make().relation
      #expect(isSame == (index == other), "\(index), \(other)")
    }
    #expect(relation.hashValue == Self.requests[index]().relation.hashValue)
  }

  @Test func `aliases are equal by the sources that they designate`() {
    func request(_ left: TableAlias<Book>, _ right: TableAlias<Author>, _ used: TableAliasBase)
      -> Relation
    {
      Book.aliased(left).joining(required: Book.author.aliased(right))
        .filter(used[Column("id")] > 1).relation
    }
    let (a, b) = (TableAlias<Book>(), TableAlias<Author>())
    let (c, d) = (TableAlias<Book>(), TableAlias<Author>())
    let named = TableAlias<Book>(name: "b")
    #expect(request(a, b, a) == request(c, d, c))
    #expect(request(a, b, a) != request(c, d, d))
    #expect(request(a, b, a) != request(named, b, named))
  }

  @Test func `closures are equal to themselves only`() {
    let request = Book.all().filterWhenConnected { _ in Column("year") > 1 }
    let twin = Book.all().filterWhenConnected { _ in Column("year") > 1 }
    #expect(request.relation == request.relation)
    #expect(request.relation != twin.relation)
  }
}

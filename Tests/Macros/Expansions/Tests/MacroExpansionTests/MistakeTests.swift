import Testing

@Suite("Mistakes in declarations of records")
struct MistakeTests {
  static let mistakes = [
    Mistake(
      "a property without a type", "@Record struct A {\n  var a = false\n}",
      "the type of a column must be declared: macros see no inferred types", 2, 7,
      ("declare the type 'Bool'", "@Record struct A {\n  var a: Bool = false\n}")),
    Mistake(
      "a property whose type can't be guessed", "@Record struct A {\n  var a = Date()\n}",
      "the type of a column must be declared: macros see no inferred types", 2, 7,
      ("declare the type", "@Record struct A {\n  var a: <#Type#> = Date()\n}")),
    Mistake(
      "two primary keys",
      "@Record struct A {\n  @PrimaryKey var a: Int\n  @PrimaryKey var b: Int\n}",
      "a record has one @PrimaryKey: a key of several columns is declared by the table alone",
      3, 3,
      (
        "remove '@PrimaryKey'",
        "@Record struct A {\n  @PrimaryKey var a: Int\n  var b: Int\n}"
      )),
    Mistake(
      "a type that no column stores", "@Record struct A {\n  var a: (Int, Int)\n}",
      "a column can't store '(Int, Int)'", 2, 10,
      ("add '@Ignored'", "@Record struct A {\n  @Ignored var a: (Int, Int)\n}")),
    Mistake(
      "an optional function", "@Record struct A {\n  public var a: (() -> Void)?\n}",
      "a column can't store '(() -> Void)?'", 2, 17,
      ("add '@Ignored'", "@Record struct A {\n  @Ignored public var a: (() -> Void)?\n}")),
    Mistake(
      "a collection", "@Record struct A {\n  var a: [String]?\n}",
      "a column stores '[String]?' as JSON, or by a coding: `@Column(as:)`", 2, 10,
      ("add '@JSON'", "@Record struct A {\n  @JSON var a: [String]?\n}")),
    Mistake(
      "a set", "@Record struct A {\n  // Why.\n  var a: Set<Int>\n}",
      "a column stores 'Set<Int>' as JSON, or by a coding: `@Column(as:)`", 3, 10,
      ("add '@JSON'", "@Record struct A {\n  // Why.\n  @JSON var a: Set<Int>\n}")),
    Mistake(
      "an attribute of a computed property",
      "@Record struct A {\n  var a: Int\n  @Column(\"c\") var b: Int { a }\n}",
      "@Column applies to stored properties of instances", 3, 3,
      ("remove '@Column'", "@Record struct A {\n  var a: Int\n  var b: Int { a }\n}")),
    Mistake(
      "an attribute of a static property",
      "@Record struct A {\n  var a: Int\n  @JSON static var b = 1\n}",
      "@JSON applies to stored properties of instances", 3, 3,
      ("remove '@JSON'", "@Record struct A {\n  var a: Int\n  static var b = 1\n}")),
    Mistake(
      "an ignored property without a value",
      "@Record struct A {\n  var a: Int\n  @Ignored var b: Int\n}",
      "'b' is not fetched, and so needs a value", 3, 16,
      (
        "add a value",
        "@Record struct A {\n  var a: Int\n  @Ignored var b: Int = <#value#>\n}"
      )),
    Mistake(
      "a constant with a value", "@Record struct A {\n  let a: Int = 1\n}",
      "'a' has a value already: `init(row:)` can't set it", 2, 3,
      ("use 'var'", "@Record struct A {\n  var a: Int = 1\n}"),
      ("add '@Ignored'", "@Record struct A {\n  @Ignored let a: Int = 1\n}")),
    Mistake(
      "two ways to store a value",
      "@Record struct A {\n  @JSON @Column(as: B.self) var a: Int\n}",
      "@JSON and @Column(as:) exclude each other", 2, 3,
      ("remove '@JSON'", "@Record struct A {\n  @Column(as: B.self) var a: Int\n}")),
    Mistake(
      "JSON that is embedded", "@Record struct A {\n  @JSON @Embedded var a: B\n}",
      "@JSON and @Embedded exclude each other", 2, 3,
      ("remove '@JSON'", "@Record struct A {\n  @Embedded var a: B\n}")),
    Mistake(
      "a coding of what is embedded",
      "@Record struct A {\n  @Column(as: B.self) @Embedded var a: B\n}",
      "@Column and @Embedded exclude each other", 2, 3,
      ("remove '@Column'", "@Record struct A {\n  @Embedded var a: B\n}")),
    Mistake(
      "an ignored key", "@Record struct A {\n  var a: Int\n  @PrimaryKey @Ignored var b = 1\n}",
      "@PrimaryKey and @Ignored exclude each other", 3, 3,
      (
        "remove '@PrimaryKey'", "@Record struct A {\n  var a: Int\n  @Ignored var b = 1\n}"
      )),
    Mistake(
      "an embedded key", "@Record struct A {\n  @PrimaryKey @Embedded var a: B\n}",
      "@PrimaryKey is one column of a record", 2, 3,
      ("remove '@PrimaryKey'", "@Record struct A {\n  @Embedded var a: B\n}")),
    Mistake(
      "the key of a part", "@Embeddable struct A {\n  @PrimaryKey var a: Int\n}",
      "@PrimaryKey is one column of a record", 2, 3,
      ("remove '@PrimaryKey'", "@Embeddable struct A {\n  var a: Int\n}")),
    Mistake(
      "a class with subclasses", "@Record class A {\n  var a: Int\n}",
      "@Record applies to a final class: a subclass would inherit an incomplete `init(row:)`",
      1, 9, ("add 'final'", "@Record final class A {\n  var a: Int\n}")),
    Mistake(
      "a public class with subclasses", "@Record public class A {\n  var a: Int\n}",
      "@Record applies to a final class: a subclass would inherit an incomplete `init(row:)`",
      1, 16, ("add 'final'", "@Record public final class A {\n  var a: Int\n}")),
    Mistake(
      "an enumeration", "@Record enum A {\n}",
      "@Record applies to a structure or a final class", 1, 9),
    Mistake(
      "an actor", "@Record actor A {\n}", "@Record applies to a structure or a final class", 1, 9),
    Mistake(
      "a class that is a part", "@Embeddable final class A {\n}",
      "@Embeddable applies to a structure or an enumeration", 1, 19),
    Mistake(
      "a record without columns", "@Record struct A {\n  @Ignored var a = 1\n}",
      "A has no stored property for a column", 1, 9),
    Mistake(
      "an empty name", "@Record struct A {\n  @Column(\"\") var a: Int\n}",
      "the name is a literal, neither empty nor interpolated: macros see no values", 2, 11),
    Mistake(
      "a computed name", "@Record struct A {\n  @Column(name) var a: Int\n}",
      "the name is a literal, neither empty nor interpolated: macros see no values", 2, 11),
    Mistake(
      "a computed table name", "@Record(\"a\\(1)\") struct A {\n  var a: Int\n}",
      "the name is a literal, neither empty nor interpolated: macros see no values", 1, 9),
    Mistake(
      "a computed flag", "@Record(readOnly: flag) struct A {\n  var a: Int\n}",
      "the argument is 'true' or 'false': macros see no values", 1, 19),
    Mistake(
      "a computed coding", "@Record struct A {\n  @Column(as: coding) var a: Int\n}",
      "the coding is a type, such as `UnixSeconds.self`", 2, 15),
    Mistake(
      "two properties of one column",
      "@Record struct A {\n  var a: Int\n  @Column(\"A\") var b: Int\n}",
      "'a' has the column \"A\" already", 3, 20),
    Mistake(
      "a pattern", "@Record struct A {\n  var (a, b): (Int, Int)\n}",
      "each column needs a property with a name of its own", 2, 7),
    Mistake(
      "a property that depends on a condition",
      "@Record struct A {\n  var a: Int\n  #if DEBUG\n  var b: Int?\n  #endif\n}",
      "a column can't depend on `#if`: macros don't know which condition holds", 4, 3,
      (
        "add '@Ignored'",
        "@Record struct A {\n  var a: Int\n  #if DEBUG\n  @Ignored var b: Int?\n  #endif\n}"
      )),
    Mistake(
      "an enumeration without cases", "@Embeddable enum A {\n}", "A has no case", 1, 13),
    Mistake(
      "an associated collection", "@Embeddable enum A {\n  case b([Int])\n}",
      "a column can't store '[Int]'", 2, 10),
    Mistake(
      "an associated function", "@Embeddable enum A {\n  case a, b(c: () -> Void)\n}",
      "a column can't store '() -> Void'", 2, 16),
    Mistake(
      "two values of one column", "@Embeddable enum A {\n  case b(c: Int), bC(Int)\n}",
      "the column \"bC\" is that of 'b' already", 2, 19),
    Mistake(
      "a value with the column of the case", "@Embeddable enum A {\n  case `case`(Int)\n}",
      "the column \"case\" is that of the name of the case already", 2, 8),
    Mistake(
      "a case that depends on a condition",
      "@Embeddable enum A {\n  case a\n  #if DEBUG\n  case b\n  #endif\n}",
      "a case can't depend on `#if`: macros don't know which condition holds", 3, 3),
    Mistake(
      "a strategy of Codable records",
      """
      @Record struct A {
        var a: UUID
        static func databaseUUIDEncodingStrategy(for column: String) -> B { .uppercaseString }
      }
      """,
      "strategies and coders have no effect here: use `@Column(as:)` or `@Column(\"name\")`",
      3, 3),
    Mistake(
      "names of Codable records",
      """
      @Record struct A {
        var a: UUID
        static let databaseColumnEncodingStrategy = B.convertToSnakeCase
      }
      """,
      "strategies and coders have no effect here: use `@Column(as:)` or `@Column(\"name\")`",
      3, 3),
    Mistake(
      "a decoding strategy of Codable records",
      """
      @Record(readOnly: true) struct A {
        var a: Date
        static func databaseDateDecodingStrategy(for column: String) -> B { .iso8601 }
        static func databaseDateEncodingStrategy(for column: String) -> C { .iso8601 }
      }
      """,
      "strategies and coders have no effect here: use `@Column(as:)` or `@Column(\"name\")`",
      3, 3),
    Mistake(
      "a JSON encoder of Codable records",
      """
      @Record struct A {
        @JSON var a: [Int]
        init(row: Row) throws { a = [] }
        #if true
        static func databaseJSONEncoder(for column: String) -> JSONEncoder { JSONEncoder() }
        #endif
        static func databaseJSONDecoder(for column: String) -> JSONDecoder { JSONDecoder() }
      }
      """,
      "strategies and coders have no effect here: use `@Column(as:)` or `@Column(\"name\")`",
      5, 3),
    Mistake(
      "a private type of a column",
      "@Record struct A {\n  private var a: [B]?\n  private enum B {}\n}",
      "the column is seen in the file, and 'B' is private: make it 'fileprivate'", 2, 19),
    Mistake(
      "a private record in another type",
      "enum Shop {\n  @Record private struct A {\n    var a: Int\n  }\n}",
      "generated code does not see a private type in another type: make it 'fileprivate'", 2, 19),
    Mistake(
      "a private enumeration in another type",
      "enum Shop {\n  @Embeddable private enum A {\n    case a\n  }\n}",
      "generated code does not see a private type in another type: make it 'fileprivate'", 2, 23),
    Mistake(
      "a parenthesized function", "@Record struct A {\n  var a: (() -> Void)\n}",
      "a column can't store '() -> Void'", 2, 11,
      ("add '@Ignored'", "@Record struct A {\n  @Ignored var a: (() -> Void)\n}")),
    Mistake(
      "an attribute outside of a record", "struct A {\n  @Column(\"b\") var a: Int\n}",
      "@Column has a meaning for stored properties of types with @Record or @Embeddable", 2, 3),
  ]

  @Test(arguments: mistakes)
  func `a mistake is reported where it is, with the ways out`(mistake: Mistake) {
    expectError(mistake)
  }
}

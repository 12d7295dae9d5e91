// Equality of trees by value. The public types of expressions can't be `Equatable`: between them, `==` is an operator of
// SQL. So a walk writes down a key of a tree, and keys are compared.
//
// | part of the tree | in the key |
// | --- | --- |
// | kinds, names, numbers | bytes, in the order of the walk |
// | values | a list of their own, for null is another kind: requests that differ by their values have the same bytes |
// | aliases | the order of their first appearance, and their names: requests that are built twice are equal |
// | parts that are deferred | their identity: what closures return is not known |

/// The value of a tree: its structure, and its values.
struct TreeKey: Hashable {
  private var structure: [UInt8] = []
  private(set) var values: [DatabaseValue] = []
  private var aliases: [TableAliasBase] = []
  /// Identities are those of objects that are alive.
  private var objects: [AnyObject] = []

  init(_ part: some TreePart) {
    part.write(to: &self)
  }

  static func == (lhs: TreeKey, rhs: TreeKey) -> Bool {
    lhs.structure == rhs.structure
      && lhs.values.elementsEqual(rhs.values) {
        $0.storage == $1.storage && $0.isInvalid == $1.isInvalid
      }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(structure)
  }
}

/// A part of a tree that has a key.
protocol TreePart {
  func write(to key: inout TreeKey)
}

extension TreePart {
  /// Whether two parts are equal by value. Between expressions, `==` is an operator of SQL.
  func isSame(as other: some TreePart) -> Bool {
    TreeKey(self) == TreeKey(other)
  }
}

extension TreeKey {
  /// The number of a kind.
  mutating func append(kind: UInt8) {
    structure.append(kind)
  }

  mutating func append(_ flag: Bool) {
    structure.append(flag ? 1 : 0)
  }

  mutating func append(_ number: Int) {
    unsafe withUnsafeBytes(of: number) { unsafe structure.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) {
    append(text.utf8.count)
    structure.append(contentsOf: text.utf8)
  }

  mutating func append(_ text: String?) {
    append(text != nil)
    if let text { append(text) }
  }

  mutating func append(_ texts: [String]?) {
    append(texts?.count ?? -1)
    for text in texts ?? [] { append(text) }
  }

  mutating func append(_ value: DatabaseValue) {
    append(value.isNull)
    if !value.isNull { values.append(value) }
  }

  mutating func append(_ alias: TableAliasBase) {
    let number = aliases.firstIndex { $0 === alias }
    append(number ?? aliases.count)
    guard number == nil else { return }
    aliases.append(alias)
    append(alias.name)
  }

  mutating func append(identityOf object: AnyObject) {
    append(Int(bitPattern: ObjectIdentifier(object)))
    objects.append(object)
  }

  mutating func append(_ parts: some Collection<some TreePart>) {
    append(parts.count)
    for part in parts { part.write(to: &self) }
  }

  mutating func append(_ part: (some TreePart)?) {
    append(part != nil)
    part?.write(to: &self)
  }
}

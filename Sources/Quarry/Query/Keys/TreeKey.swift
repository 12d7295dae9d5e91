// Equality of trees by value. The public types of expressions can't be `Equatable`: between them,
// `==` is an operator of SQL. So a walk writes down a key of a tree, and keys are compared.
//
// | part of the tree | in the key |
// | --- | --- |
// | kinds, names, numbers | bytes, in the order of the walk: the structure |
// | values | a list of their own, for null is another kind: requests that differ by their values have one structure |
// | aliases | the order of their first appearance, and their names: requests that are built twice are equal |
// | parts that are deferred | their identity: what closures return is not known |
//
// With a context, the key is that of a query to remember (`CompiledQueryCache`): what decides its
// SQL is in the structure, or the key is refused. The selection of a record type, and what depends
// on the schema only, are asked for.

/// The value of a tree: its structure, and its values.
struct TreeKey: ~Copyable {
  private(set) var structure = ByteBuffer(capacity: 504)
  private(set) var values: [DatabaseValue] = []
  private var aliases: [TableAliasBase] = []
  /// Identities are those of objects that are alive.
  private var objects: [AnyObject] = []
  /// The names of the table expressions that enclosing queries define.
  ///
  /// A table expression carries its definition wherever a query selects from it. Passes go into the
  /// definition in the `WITH` clause, and not into those of the same name: a definition that
  /// selects from another one, which selects from a third one, and so on, would be visited twice as
  /// often with each level.
  private(set) var definitions: Set<BinaryText> = []
  /// Those that joined requests of the same query define. Nil where planning compares none.
  private var joinedDefinitions: Set<BinaryText>? = []
  /// Answers what the SQL of a query depends on. Nil for equality.
  private(set) var context: PlanningContext?
  /// Whether the key is that of a query to remember.
  private(set) var isOfQuery = false
  /// True for a query that is not to be remembered.
  private(set) var isRefused = false

  init() {}

  /// The key of a query to remember.
  init(context: PlanningContext) { begin(in: context) }

  init(_ part: some TreePart) { part.write(to: &self) }

  static func == (lhs: borrowing TreeKey, rhs: borrowing TreeKey) -> Bool {
    guard lhs.structure == rhs.structure else { return false }
    return lhs.values.elementsEqual(rhs.values) { $0.isSameArgument(as: $1) }
  }

  /// Begins the key of a query to remember.
  mutating func begin(in context: PlanningContext) {
    self.context = context
    isOfQuery = true
  }

  /// Prepares the key of another tree, in the same memory.
  mutating func restart() {
    structure.removeAll()
    // `removeAll(keepingCapacity:)` takes much longer for few values.
    while !values.isEmpty { values.removeLast() }
    if !aliases.isEmpty { aliases.removeAll(keepingCapacity: true) }
    if !objects.isEmpty { objects.removeAll() }
    if joinedDefinitions?.isEmpty == false { joinedDefinitions = [] }
    context = nil
    isOfQuery = false
    isRefused = false
  }

  /// Writes a query: where it selects from what it defines, it does so by name.
  mutating func withDefinitions(
    of expressions: [TableExpression], _ write: (inout TreeKey) -> Void
  ) {
    if expressions.isEmpty { return write(&self) }
    let outer = definitions
    definitions.formUnion(expressions.map(\.key))
    write(&self)
    definitions = outer
  }

  /// Notes the definitions of a joined request: planning compares those that share a name.
  mutating func noteDefinitions(ofJoined expressions: [TableExpression]) {
    guard let noted = joinedDefinitions else { return }
    let keys = expressions.map(\.key)
    if keys.contains(where: { definitions.contains($0) || noted.contains($0) }) { refuse() }
    joinedDefinitions?.formUnion(keys)
  }

  /// Begins a query inside, whose joined requests planning compares with each other only, or with
  /// none. Returns the definitions for `endNotes`: a closure would need more of the stack, in trees
  /// of many levels.
  mutating func beginNotes(comparing: Bool) -> Set<BinaryText>? {
    defer { joinedDefinitions = comparing ? [] : nil }
    return joinedDefinitions
  }

  mutating func endNotes(_ outer: Set<BinaryText>?) { joinedDefinitions = outer }

  /// Whether parts of the tree are not in the key, but their identity is.
  var hasIdentities: Bool { !objects.isEmpty }

  /// Notes that the SQL depends on more than the structure.
  mutating func refuse() { if isOfQuery { isRefused = true } }
}

extension DatabaseValue {
  /// Whether SQLite can't distinguish two values: `-0.0` is another double than `0.0`.
  fileprivate func isSameArgument(as other: DatabaseValue) -> Bool {
    if case (.double(let double), .double(let otherDouble)) = (storage, other.storage) {
      return double.bitPattern == otherDouble.bitPattern
    }
    return storage == other.storage && isInvalid == other.isInvalid
  }
}

/// A part of a tree that has a key.
protocol TreePart {
  func write(to key: inout TreeKey)
}

extension TreePart {
  /// Whether two parts are equal by value. Between expressions, `==` is an operator of SQL.
  func isSame(as other: some TreePart) -> Bool { TreeKey(self) == TreeKey(other) }

  /// Whether two parts are equal by value. With a context, what is deferred and depends on the
  /// schema only is asked for.
  func isSame(as other: some TreePart, in context: PlanningContext?) -> Bool {
    if isSame(as: other) { return true }
    guard let context else { return false }
    var key = TreeKey(context: context)
    write(to: &key)
    var otherKey = TreeKey(context: context)
    other.write(to: &otherKey)
    return !key.isRefused && !otherKey.isRefused && key == otherKey
  }

  func hashStructure(into hasher: inout Hasher) { hasher.combine(TreeKey(self).structure.hash) }
}

extension TreeKey {
  /// The number of a kind.
  @inline(__always) mutating func append(kind: UInt8) { structure.append(byte: kind) }

  mutating func append(kind: UInt8, _ part: some TreePart) {
    append(kind: kind)
    part.write(to: &self)
  }

  mutating func append(kind: UInt8, _ name: String) {
    append(kind: kind)
    append(name)
  }

  @inline(__always) mutating func append(_ flag: Bool) { structure.append(byte: flag ? 1 : 0) }

  /// Nearly all numbers are small.
  @inline(__always) mutating func append(_ number: Int) {
    if 0..<255 ~= number {
      structure.append(byte: UInt8(truncatingIfNeeded: number))
    } else {
      append(large: number)
    }
  }

  @inline(never) private mutating func append(large number: Int) {
    structure.append(byte: 255)
    var bits = number
    for _ in 0..<8 {
      structure.append(byte: UInt8(truncatingIfNeeded: bits))
      bits >>= 8
    }
  }

  mutating func append(_ text: String) {
    // `withUTF8` would count a reference, as it may change the text.
    let isNative: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe append($0) }
    if isNative == nil {
      var text = text
      text.withUTF8 { unsafe append($0) }
    }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(bytes.count)
    unsafe structure.append(bytes)
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
    if value.isNull { return }
    if values.count == DatabaseValue.slotLimit { refuse() }
    values.append(value)
  }

  mutating func append(_ alias: TableAliasBase) {
    let number = aliases.firstIndex { $0 === alias }
    append(number ?? aliases.count)
    guard number == nil else { return }
    aliases.append(alias)
    append(alias.name)
  }

  mutating func append(identityOf object: AnyObject) {
    refuse()
    append(Int(bitPattern: ObjectIdentifier(object)))
    objects.append(object)
  }

  /// One of the children of a node, which `false` ends.
  mutating func append(child: some TreePart) {
    append(true)
    child.write(to: &self)
  }

  /// By index: an iterator would copy each part.
  mutating func append<Part: TreePart>(_ parts: some RandomAccessCollection<Part>) {
    let count = parts.count
    append(count)
    if count == 0 { return }
    for index in parts.indices where !isRefused { parts[index].write(to: &self) }
  }

  mutating func append(_ part: (some TreePart)?) {
    append(part != nil)
    part?.write(to: &self)
  }
}

extension Array: TreePart where Element: TreePart {
  func write(to key: inout TreeKey) { key.append(self) }
}

extension TableAliasBase: TreePart {
  func write(to key: inout TreeKey) { key.append(self) }
}

extension InvalidRequest: TreePart {
  /// No request is prepared with a fault.
  func write(to key: inout TreeKey) {
    key.refuse()
    key.append(message)
  }
}

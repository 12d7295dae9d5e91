/// The coding keys of a type: numbers, columns, and the coders of properties. Made once, for all
/// records of a row that moves, or of a connection.
///
/// Keys of at most one byte, as enumerations without associated values are, have the byte as
/// number: no string is compared. Other keys are found by name, first at the place after the last
/// one.
///
/// The decoder or encoder of the records owns the table. The keyed container points to it, and is
/// not counted, since the standard library copies the container for each value. One that escapes
/// from the coding of a record finds that the lifetime of its table is over.
@safe class KeyTable {
  final let keyType: ObjectIdentifier
  final let lifetime = Lifetime.begin()
  /// The keyed container over this table.
  final let box: ContainerBox
  /// The positions of columns by the byte of the key, negative where none is known. Nil for larger
  /// keys. From `datePositions` on, those of dates that are read without a strategy.
  final let positions: UnsafeMutablePointer<Int16>?
  private final let positionMemory: FixedMemory<Int16>
  static var datePositions: Int { 256 }
  static var positionCount: Int { 512 }

  private final var names: [String] = []
  private final var last = -1
  @safe @exclusivity(unchecked) fileprivate final var slots: [Slot]

  fileprivate struct Slot {
    /// The position of the column among those of a row, nil before it is looked up, negative
    /// without column.
    var position: Int?
    /// The name of the column that is written.
    var name: String?
    /// The type of the property that `coder` codes.
    var type: ObjectIdentifier?
    var coder: AnyObject?
  }

  init<Key: CodingKey>(_ type: Key.Type, _ box: ContainerBox) {
    self.box = box
    keyType = ObjectIdentifier(type)
    let count = Key.isByte ? Self.positionCount : 0
    positionMemory = FixedMemory(repeatElement(-1, count: count))
    unsafe positions = unsafe Key.isByte ? positionMemory.start : nil
    slots = Array(repeating: Slot(), count: 16)
  }

  deinit { lifetime.end() }

  final func forgetPositions() {
    unsafe positions?.update(repeating: -1, count: Self.positionCount)
  }

  /// Whether a record has kept the container.
  @inline(__always) final func isShared() -> Bool { box.isShared() }

  /// The number of a key.
  @inline(__always) final func number<Key: CodingKey>(of key: Key) -> Int {
    unsafe positions != nil ? Int(key.byte) : otherNumber(key)
  }

  private final func otherNumber(_ key: some CodingKey) -> Int {
    let name = key.stringValue
    let guess = last + 1
    if guess < names.count, names[guess].hasSameBytes(as: name) {
      last = guess
    } else if let index = names.firstIndex(where: { $0.hasSameBytes(as: name) }) {
      last = index
    } else {
      names.append(name)
      last = names.count - 1
    }
    return last
  }

  fileprivate final func grow(to number: Int) {
    guard number >= slots.count else { return }
    slots.append(contentsOf: repeatElement(Slot(), count: number + 16 - slots.count))
  }
}

extension KeyTable {
  /// The position of the column of a key among those of a row: negative without column, nil before
  /// it is looked up.
  @inline(__always) final func position(_ number: Int) -> Int? {
    number < slots.count ? slots[number].position : nil
  }

  final func setPosition(_ number: Int, _ position: Int) {
    grow(to: number)
    slots[number].position = position
    rememberPosition(number, position)
  }

  /// Remembers that the values of a key are dates that are read without a strategy.
  final func rememberDates(_ number: Int) {
    guard let position = position(number), position >= 0 else { return }
    rememberPosition(Self.datePositions + number, position)
  }

  final func rememberPosition(_ number: Int, _ position: Int) {
    if let positions = unsafe positions, let position = Int16(exactly: position) {
      unsafe positions[number] = position
    }
  }

  /// The name of the column that a key is written to, nil before it is looked up.
  @inline(__always) final func columnName(_ number: Int) -> String? {
    number < slots.count ? slots[number].name : nil
  }

  final func setColumnName(_ number: Int, _ name: String) {
    grow(to: number)
    slots[number].name = name
  }

  /// The coder of a property, if it is known for this type.
  @inline(__always) final func coder(_ number: Int, for type: Any.Type) -> AnyObject? {
    number < slots.count && slots[number].type == ObjectIdentifier(type)
      ? slots[number].coder : nil
  }

  final func setCoder(_ number: Int, for type: Any.Type, _ coder: AnyObject) {
    grow(to: number)
    slots[number].type = ObjectIdentifier(type)
    slots[number].coder = coder
  }
}

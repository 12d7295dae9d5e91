struct Hash {
  mutating func update(data: Data) {}
}
var hash = Hash()

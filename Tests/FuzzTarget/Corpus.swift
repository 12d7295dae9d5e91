import Foundation
import RandomNumbers

extension FuzzTarget {
  /// The inputs that others grow from: those that the target makes itself, and the files of
  /// Tests/FuzzTarget/Corpus.
  func corpus() throws -> [[UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Corpus").appendingPathComponent(name)
    let files = FileManager.default
    let names = try files.contentsOfDirectory(atPath: folder.path).sorted()
    return try seeds()
      + names.map { [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))) }
  }
}

/// Inputs that differ a little from those of a corpus.
struct Mutations {
  private var random: SplitMix64
  private let inputs: [[UInt8]]
  private let maximumSize: Int

  init(_ inputs: [[UInt8]], maximumSize: Int, seed: UInt64) {
    random = SplitMix64(seed: seed)
    self.inputs = inputs
    self.maximumSize = maximumSize
  }

  mutating func next() -> [UInt8] {
    var bytes = random.pick(inputs)
    for _ in 0...random.below(4) { change(&bytes) }
    return Array(bytes.prefix(maximumSize))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let start = random.below(bytes.count + 1)
    let length = min(bytes.count - start, 1 + random.below(random.chance(3) ? 40 : 4))
    switch random.below(8) {
    case 0: bytes.insert(contentsOf: random.bytes(1 + random.below(4)), at: start)
    case 1: bytes.removeSubrange(start..<start + length)
    case 2: if start < bytes.count { bytes[start] ^= 1 << UInt8(random.below(8)) }
    case 3: bytes.replaceSubrange(start..<start + length, with: random.bytes(length))
    case 4: bytes.insert(contentsOf: Array(bytes[start..<start + length]), at: start)
    case 5: bytes.insert(contentsOf: Array(random.text().utf8), at: start)
    default:
      // A piece of another input.
      let other = random.pick(inputs)
      let from = random.below(other.count + 1)
      let piece = other[from..<min(other.count, from + 1 + random.below(40))]
      bytes.replaceSubrange(start..<start + (random.chance(2) ? length : 0), with: piece)
    }
  }
}

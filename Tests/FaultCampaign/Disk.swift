// A disk that loses its power.
//
// A file system keeps changes in memory until a sync. A power cut loses any of those that came
// after the last sync of their file, in whatever order, sector by sector: of a write, some sectors
// can be new and the others old. Where a file has grown, sectors that were not written are zeros or
// anything. What is in the rest of the file stays as it was: SQLite expects this of disks
// (SQLITE_IOCAP_POWERSAFE_OVERWRITE). The names of a folder change in order: a prefix of the
// changes after its last sync is kept. Nor is a file shortened before the names that were changed
// earlier: SQLite deletes a journal and then shortens the file, and file systems log both in this
// order.
//
// See <https://www.sqlite.org/atomiccommit.html>.

/// The files of a folder, as far as they are on the disk, and what is still in memory.
struct Disk {
  private static let sectorSize = 512

  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    /// With the number of changes of names that came before.
    case truncation(size: Int, after: Int)
  }

  private struct File {
    var durable: [UInt8] = []
    var changes: [Change] = []
  }

  private enum NameChange {
    case creation(String, file: Int)
    case deletion(String)
  }

  private var files: [Int: File] = [:]
  private var names: [String: Int] = [:]
  private var durableNames: [String: Int] = [:]
  private var nameChanges: [NameChange] = []
  /// How many changes of names are on the disk.
  private var durableChangeCount = 0

  init(_ contents: [String: [UInt8]]) {
    for (name, content) in contents {
      names[name] = files.count
      files[files.count] = File(durable: content)
    }
    durableNames = names
  }

  mutating func apply(_ event: FileEvent) {
    switch event.kind {
    case .creation:
      guard names[event.name] == nil else { break }
      let file = files.count
      names[event.name] = file
      files[file] = File()
      nameChanges.append(.creation(event.name, file: file))
    case .deletion:
      names[event.name] = nil
      nameChanges.append(.deletion(event.name))
    case .write(let offset, let bytes):
      change(event.name) { $0.changes.append(.write(offset: offset, bytes: bytes)) }
    case .truncation(let size):
      let count = durableChangeCount + nameChanges.count
      change(event.name) { $0.changes.append(.truncation(size: size, after: count)) }
    case .sync:
      change(event.name) { file in
        for change in file.changes { Self.apply(change, to: &file.durable) }
        file.changes = []
      }
    }
    if event.syncsFolder {
      Self.apply(nameChanges[...], to: &durableNames)
      durableChangeCount += nameChanges.count
      nameChanges = []
    }
  }

  private mutating func change(_ name: String, _ body: (inout File) -> Void) {
    guard let number = names[name] else { return }
    body(&files[number, default: File()])
  }

  private static func apply(_ change: Change, to content: inout [UInt8]) {
    switch change {
    case .truncation(let size, _):
      if size < content.count { content.removeLast(content.count - size) }
    case .write(let offset, let bytes):
      extend(&content, to: offset + bytes.count, with: 0)
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
  }

  private static func extend(_ content: inout [UInt8], to size: Int, with byte: UInt8) {
    if content.count < size {
      content.append(contentsOf: repeatElement(byte, count: size - content.count))
    }
  }

  private static func apply(_ changes: ArraySlice<NameChange>, to names: inout [String: Int]) {
    for change in changes {
      switch change {
      case .creation(let name, let file): names[name] = file
      case .deletion(let name): names[name] = nil
      }
    }
  }

  /// How much of the changes survives.
  private enum Survival: CaseIterable {
    case nothing, everything, prefix, someWrites, someSectors
  }

  /// Whether no change of the names can be lost.
  var namesAreDurable: Bool { nameChanges.isEmpty }

  /// The files after a power cut.
  func cut(_ generator: inout some RandomNumberGenerator) -> [String: [UInt8]] {
    var kept = durableNames
    let count = Int.random(in: 0...nameChanges.count, using: &generator)
    Self.apply(nameChanges[..<count], to: &kept)
    return kept.mapValues { number in
      files[number].map {
        Self.content(of: $0, changeCount: durableChangeCount + count, &generator)
      } ?? []
    }
  }

  private static func content(
    of file: File, changeCount: Int, _ generator: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var content = file.durable
    let survival = Survival.allCases.randomElement(using: &generator) ?? .nothing
    let filler: UInt8 =
      Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...255, using: &generator)
    let prefix = Int.random(in: 0...file.changes.count, using: &generator)
    for (index, change) in file.changes.enumerated() {
      if case .truncation(_, let count) = change, count > changeCount { continue }
      switch survival {
      case .nothing: continue
      case .everything: apply(change, to: &content)
      case .prefix where index < prefix: apply(change, to: &content)
      case .prefix where index > prefix: continue
      case .someWrites:
        if Bool.random(using: &generator) { apply(change, to: &content) }
      case .prefix, .someSectors: tear(change, &content, filler, &generator)
      }
    }
    return content
  }

  /// Keeps some sectors of a write.
  private static func tear(
    _ change: Change, _ content: inout [UInt8], _ filler: UInt8,
    _ generator: inout some RandomNumberGenerator
  ) {
    guard case .write(let offset, let bytes) = change else {
      if Bool.random(using: &generator) { apply(change, to: &content) }
      return
    }
    extend(&content, to: offset + bytes.count, with: filler)
    var start = 0
    while start < bytes.count {
      // To the end of the sector of the file.
      let end = min(bytes.count, start + sectorSize - (offset + start) % sectorSize)
      if Bool.random(using: &generator) {
        content.replaceSubrange(offset + start..<offset + end, with: bytes[start..<end])
      }
      start = end
    }
  }
}

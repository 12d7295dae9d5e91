import Foundation
import QuarryChanges

/// What a member writes to another one: new changes, and how far the changes of the other one have
/// come.
struct Letter: Codable {
  let batch: ChangeBatch
  let acknowledged: Int64
}

/// A directory with a file from each member to each other one: the last letter, which replaces the
/// one before.
///
/// Letters may be lost, since they are replaced before they are read, and may be read again. Files
/// are replaced as a whole, so that a process that is killed leaves the old or the new one.
struct Mailbox {
  let directory: URL

  private func file(from sender: String, to receiver: String) -> URL {
    directory.appendingPathComponent("\(sender)-\(receiver).json")
  }

  func put(_ letter: Letter, from sender: String, to receiver: String) throws {
    let data = try JSONEncoder().encode(letter)
    try data.write(to: file(from: sender, to: receiver), options: .atomic)
  }

  func letter(from sender: String, to receiver: String) throws -> Letter? {
    let file = file(from: sender, to: receiver)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try JSONDecoder().decode(Letter.self, from: Data(contentsOf: file))
  }
}

extension ShoppingList {
  /// Reads the letter of another member, and writes one. Returns whether both have all, as far as
  /// is known here.
  @discardableResult
  func exchange(with other: String, through mailbox: Mailbox) throws -> Bool {
    let me = try log.identity
    if let letter = try mailbox.letter(from: other, to: me) {
      try log.receive(letter.batch)
      try log.acknowledge(letter.acknowledged, by: other)
    }
    let sent = try log.acknowledgments[other] ?? 0
    let batch = try log.changes(after: sent, for: other, limit: 50)
    let letter = Letter(batch: batch, acknowledged: try log.cursor(of: other))
    try mailbox.put(letter, from: me, to: other)
    try log.compact()
    return batch.transactions.isEmpty && batch.isLast
  }
}

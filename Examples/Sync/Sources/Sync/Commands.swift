import ArgumentParser
import Foundation
import Quarry

extension Sync {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Adds an item.")

    @OptionGroup var copy: CopyOptions
    @Argument var title: String
    @Option var amount = 1

    func run() throws {
      let item = Item(
        id: UUID().uuidString, storeId: nil, title: title, amount: amount, isDone: false)
      try copy.open().database.write { db in try item.insert(db) }
      print(item.id)
    }
  }

  struct Done: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Notes that an item is bought.")

    @OptionGroup var copy: CopyOptions
    @Argument var id: String

    func run() throws {
      try copy.open().database.write { db in
        guard var item = try Item.fetchOne(db, key: id) else { throw MissingItem(id: id) }
        item.isDone = true
        try item.update(db)
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Removes an item.")

    @OptionGroup var copy: CopyOptions
    @Argument var id: String

    func run() throws {
      let isFound = try copy.open().database.write { db in try Item.deleteOne(db, key: id) }
      if !isFound { throw MissingItem(id: id) }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the items.")

    @OptionGroup var copy: CopyOptions

    func run() throws {
      let items = try copy.open().database.read { db in
        try Item.order(Column("title"), Column("id")).fetchAll(db)
      }
      for item in items { print(item.isDone ? "[x]" : "[ ]", item.amount, item.title, item.id) }
    }
  }

  struct Exchange: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads the letter of another member, and leaves one.",
      discussion: "The exit code is 2 as long as the other one has not confirmed all.")

    @OptionGroup var copy: CopyOptions
    @OptionGroup var mail: MailOptions

    func run() throws {
      let hasAll = try copy.open().exchange(with: mail.other, through: mail.mailbox)
      if !hasAll { throw ExitCode(2) }
    }
  }

  struct Shop: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes the list at random, and exchanges letters, until it is killed.",
      discussion: "Prints the items that it has added, once they are committed.")

    @OptionGroup var copy: CopyOptions
    @OptionGroup var mail: MailOptions

    func run() throws {
      let list = try copy.open()
      while true {
        for _ in 0..<Int.random(in: 0...3) {
          // At once, and not when a buffer is full.
          try list.changeAtRandom { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) }
        }
        try list.exchange(with: mail.other, through: mail.mailbox)
      }
    }
  }
}

struct MissingItem: Error, CustomStringConvertible {
  let id: String
  var description: String { "There is no item \(id)." }
}

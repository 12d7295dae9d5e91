import ArgumentParser
import Foundation

@main
struct Sync: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A shopping list, of which each member of a household has a copy.",
    subcommands: [Add.self, Done.self, Remove.self, List.self, Exchange.self, Shop.self])
}

/// What all commands have in common: the copy of a member.
struct CopyOptions: ParsableArguments {
  @Option(help: "The file of the list.") var file: String
  @Option(help: "The name of the member.") var member: String
  @Option(help: "What an item is after two members have changed it.")
  var policy = Policy.lastWriterWins

  func open() throws -> ShoppingList {
    try ShoppingList(path: file, member: member, policy: policy)
  }
}

extension Policy: ExpressibleByArgument {}

/// Where members leave letters for others.
struct MailOptions: ParsableArguments {
  @Option(help: "The directory of the letters.") var mail: String
  @Option(name: .customLong("with"), help: "The other member.") var other: String

  var mailbox: Mailbox { Mailbox(directory: URL(fileURLWithPath: mail)) }
}

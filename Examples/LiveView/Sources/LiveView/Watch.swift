import ArgumentParser
import Foundation
import Quarry
import QuarryChanges

struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the books that sell best, until it is interrupted (Ctrl-C).")

  @Argument(help: "The database, which 'LiveView sell' makes.") var database: String
  @Option(help: "The number of books.") var rows = 10
  @Option(help: "How often to look for changes, in milliseconds.") var interval = 200

  func validate() throws {
    guard rows > 0, interval > 0 else { throw ValidationError("Numbers are 1 or more.") }
    guard FileManager.default.fileExists(atPath: database) else {
      throw ValidationError("\(database): there is no such file.")
    }
  }

  func run() async throws {
    let shop = try openShop(database)
    let screen = Screen()
    let task = Task { try await watch(shop, screen) }
    // Ctrl-C ends the loop below, so that the screen is restored.
    let signals = [SIGINT, SIGTERM].map { signal in onSignal(signal) { task.cancel() } }
    defer { signals.forEach { $0.cancel() } }
    try await task.value
  }

  private func watch(_ shop: DatabasePool, _ screen: Screen) async throws {
    let request = BookInfo.bestSellers(rows)
    // Another process writes: its commits are noticed by looking for them.
    let polling = shop.notifyChangesOfOtherConnections(every: .milliseconds(interval)) { error in
      screen.report(error)
    }
    defer { polling.cancel() }
    let observation =
      ValueObservation
      .trackingConstantRegion { db in try request.fetchAll(db) }
      .removeDuplicates()
    // A slow terminal shows the last state, and not all of them.
    let values = observation.values(in: shop, bufferingPolicy: .bufferingNewest(1))
    var shown: [BookInfo] = []
    screen.open()
    defer { screen.close() }
    for try await books in values {
      screen.show(Table(books, after: shown))
      shown = books
    }
  }

  /// Calls a function for a signal, which no longer ends the process.
  private func onSignal(
    _ number: Int32, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler(handler: body)
    source.resume()
    return source
  }
}

import ArgumentParser
import Foundation
import Hummingbird

@main
struct Service: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Serves a bookshop over HTTP.")

  @Argument(help: "The database; it is made if it is not there.")
  var database: String
  @Option(help: "The port; 0 chooses one that is free.")
  var port = 8080

  func validate() throws {
    guard 0...65535 ~= port else { throw ValidationError("--port is a number up to 65535.") }
  }

  func run() async throws {
    let shop = try Shop(path: database)
    let application = Application(
      router: shop.makeRouter(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port)\n".utf8))
      })
    // Until SIGINT or SIGTERM. Requests that run come to their end then.
    try await application.runService()
    try shop.pool.close()
  }
}

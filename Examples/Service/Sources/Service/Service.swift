import Foundation
import Hummingbird

@main
enum Service {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, let port = Int(arguments.dropFirst().first ?? "8080") else {
      FileHandle.standardError.write(Data("usage: Service DATABASE [PORT]\n".utf8))
      exit(64)
    }
    let application = try Application(
      router: Shop(path: path).makeRouter(),
      configuration: .init(address: .hostname("127.0.0.1", port: port)))
    // Until it is interrupted: requests that run come to their end then.
    try await application.runService()
  }
}

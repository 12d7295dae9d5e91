import Foundation
import Hummingbird
import Testing

@testable import Service

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of the service, by real connections.
struct Client: Sendable {
  let port: Int
  private let session: URLSession

  init(port: Int) {
    self.port = port
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 32
    session = URLSession(configuration: configuration)
  }

  func close() {
    session.invalidateAndCancel()
  }

  struct Answer: Equatable {
    var status: Int
    var body: String
  }

  func send(_ method: String, _ path: String, _ json: String? = nil) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
    request.httpMethod = method
    request.httpBody = json.map { Data($0.utf8) }
    let (data, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    return Answer(status: status, body: String(decoding: data, as: UTF8.self))
  }
}

/// Runs a test with a service on a port that is free.
func withService(
  deadline: Duration = .seconds(30),
  addRoutes: (Router<BasicRequestContext>, Shop) -> Void = { _, _ in },
  _ test: @Sendable (Client, Shop) async throws -> Void
) async throws {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("service-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  var shop = try Shop(path: directory.appendingPathComponent("shop.sqlite").path)
  shop.deadline = deadline
  let router = shop.makeRouter()
  addRoutes(router, shop)
  let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
  let application = Application(
    router: router,
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) })
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await application.run() }
    var iterator = ports.makeAsyncIterator()
    let port = try #require(await iterator.next())
    let client = Client(port: port)
    defer { client.close() }
    try await test(client, shop)
    group.cancelAll()
  }
}

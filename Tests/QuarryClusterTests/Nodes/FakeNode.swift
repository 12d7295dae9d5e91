// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// A server that answers the requests of one connection after the other with bytes that are
  /// given, whatever it is asked for.
  final class FakeNode: Sendable {
    let address: String
    private let listener: CInt

    /// - parameter answers: The answers to the requests of a connection. It is closed after them,
    ///   or stays silent.
    init(answers: [[UInt8]], isSilentAfterwards: Bool = false) throws {
      let (listener, port) = try Self.openListener()
      self.listener = listener
      address = "127.0.0.1:\(port)"
      Thread.detachNewThread {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
          Self.serve(connection, answers, isSilentAfterwards)
        }
        close(listener)
      }
    }

    /// Lets the thread end, which closes the socket: its number may be another one's afterwards.
    deinit { shutdown(listener, CInt(SHUT_RDWR)) }

    private static func serve(_ connection: CInt, _ answers: [[UInt8]], _ isSilent: Bool) {
      defer { close(connection) }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      // The version, and then requests, of which each comes at once.
      guard recv(connection, &buffer, 8, 0) == 8 else { return }
      for answer in answers {
        guard recv(connection, &buffer, buffer.count, 0) > 0 else { return }
        _ = send(connection, answer, answer.count, CInt(MSG_NOSIGNAL))
      }
      if isSilent {
        while recv(connection, &buffer, buffer.count, 0) > 0 {}
      }
    }

    private static func openListener() throws -> (descriptor: CInt, port: UInt16) {
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      let port = try TestNode.bindToFreePort(descriptor)
      guard listen(descriptor, 8) == 0 else { throw TestNode.Failure(message: "no listener") }
      return (descriptor, port)
    }
  }
#endif

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
  /// given.
  final class FakeNode: Sendable {
    let address: String
    private let listener: CInt

    /// A server that gives the same answers, whatever it is asked for.
    ///
    /// - parameter answers: The answers to the requests of a connection. It is closed after them,
    ///   or stays silent.
    convenience init(answers: [[UInt8]], isSilentAfterwards: Bool = false) throws {
      try self.init(serving: { connection, _ in
        FakeNode.serve(connection, answers, isSilentAfterwards)
      })
    }

    /// A server whose answers depend on the requests.
    ///
    /// - parameter answer: Returns the answer to a request, of a node with this address. Nil closes
    ///   the connection.
    convenience init(
      answer: @escaping @Sendable (_ request: [UInt8], _ address: String) -> [UInt8]?
    ) throws {
      try self.init(serving: { connection, address in
        FakeNode.serve(connection) { request in answer(request, address) }
      })
    }

    private init(serving serve: @escaping @Sendable (CInt, String) -> Void) throws {
      let (listener, port) = try Self.openListener()
      let address = "127.0.0.1:\(port)"
      (self.listener, self.address) = (listener, address)
      Thread.detachNewThread {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
          serve(connection, address)
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

    private static func serve(_ connection: CInt, _ answer: ([UInt8]) -> [UInt8]?) {
      defer { close(connection) }
      // The version, and then requests.
      guard receive(8, connection) != nil else { return }
      while let request = receiveRequest(connection), let bytes = answer(request) {
        _ = send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL))
      }
    }

    /// Receives a request, which begins with the number of words after the first one.
    private static func receiveRequest(_ connection: CInt) -> [UInt8]? {
      guard let header = receive(8, connection) else { return nil }
      let count = header[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard let body = receive(count * 8, connection) else { return nil }
      return header + body
    }

    private static func receive(_ count: Int, _ connection: CInt) -> [UInt8]? {
      var buffer = [UInt8](repeating: 0, count: count)
      return recv(connection, &buffer, count, CInt(MSG_WAITALL)) == count ? buffer : nil
    }

    private static func openListener() throws -> (descriptor: CInt, port: UInt16) {
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      let port = try TestNode.bindToFreePort(descriptor)
      guard listen(descriptor, 8) == 0 else { throw TestNode.Failure(message: "no listener") }
      return (descriptor, port)
    }
  }
#endif

#if Node
  import Foundation

  /// Connects to another node.
  ///
  /// Messages are sent at once: small ones wait for each other otherwise, and a commit can take 40
  /// milliseconds longer. The function of dqlite does not ask for that, nor looks names of hosts
  /// up.
  func connectToNode(
    _: UnsafeMutableRawPointer?, _ address: UnsafePointer<CChar>?,
    _ descriptor: UnsafeMutablePointer<CInt>?
  ) -> CInt {
    guard let address, let descriptor, let socket = connect(to: String(cString: address)) else {
      return 1
    }
    descriptor.pointee = socket
    return 0
  }

  private func connect(to address: String) -> CInt? {
    guard let colon = address.lastIndex(of: ":") else { return nil }
    let host = address[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    var hints = addrinfo()
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(address[colon...].dropFirst()), &hints, &first) == 0 else {
      return nil
    }
    defer { freeaddrinfo(first) }
    return sequence(first: first, next: { $0?.pointee.ai_next }).lazy
      .compactMap { $0.flatMap { connect(to: $0.pointee) } }.first
  }

  private func connect(to info: addrinfo) -> CInt? {
    let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    guard descriptor >= 0 else { return nil }
    var one: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    guard connect(descriptor, info.ai_addr, info.ai_addrlen) == 0,
      setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, size) == 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
#endif

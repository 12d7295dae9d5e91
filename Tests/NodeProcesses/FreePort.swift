// Nodes run on Linux.
#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  extension TestNode {
    /// A port that was free a moment ago.
    package static func freePort() throws -> UInt16 {
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      return try bindToFreePort(descriptor)
    }

    /// Binds a socket to a port of this machine that is free.
    package static func bindToFreePort(_ descriptor: CInt) throws -> UInt16 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(descriptor, address, size) == 0 ? getsockname(descriptor, address, &size) : -1
        }
      }
      guard status == 0 else { throw Failure(message: "no port is free") }
      return UInt16(bigEndian: address.sin_port)
    }
  }
#endif

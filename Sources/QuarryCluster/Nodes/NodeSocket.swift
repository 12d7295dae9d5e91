#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A TCP connection to a node. All waits have an end: that of looking up the name of a host is the
/// system's.
///
/// One thread at a time sends and receives. ``interrupt()`` is called from any thread.
final class NodeSocket: Sendable {
  let address: NodeAddress
  private let descriptor: CInt

  /// Connects to the first of the host's addresses that accepts it.
  init(to address: NodeAddress, until deadline: ContinuousClock.Instant) throws(ClusterError) {
    self.address = address
    descriptor = try SocketAddresses(address).connect(until: deadline)
  }

  deinit { close(descriptor) }

  /// Ends all waits, with errors, from now on.
  func interrupt() { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(ClusterError) {
    var position = 0
    while position < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe systemSend(
          descriptor, buffer.baseAddress?.advanced(by: position), buffer.count - position)
      }
      if count >= 0 {
        position += count
      } else {
        try waitAfterFailure(for: CInt(POLLOUT), until: deadline)
      }
    }
  }

  /// Receives at least one byte, and at most a number of them.
  func receive(
    atMost count: Int, until deadline: ContinuousClock.Instant
  ) throws(ClusterError) -> [UInt8] {
    while true {
      acknowledgeAtOnce(descriptor)
      var received = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        received = unsafe recv(descriptor, buffer.baseAddress, count, 0)
        initialized = max(0, received)
      }
      if received > 0 { return bytes }
      if received == 0 {
        throw ClusterError(.unreachable, "the connection was closed by the node", node: address)
      }
      try waitAfterFailure(for: CInt(POLLIN), until: deadline)
    }
  }

  private func waitAfterFailure(
    for events: CInt, until deadline: ContinuousClock.Instant
  ) throws(ClusterError) {
    switch errno {
    case EINTR: return
    case EAGAIN, EWOULDBLOCK:
      guard wait(descriptor, for: events, until: deadline) else {
        throw ClusterError(.timeout, "the node does not answer in time", node: address)
      }
    default:
      throw ClusterError(.unreachable, "the connection was lost: \(systemError())", node: address)
    }
  }
}

/// The addresses of a host.
@safe private struct SocketAddresses: ~Copyable {
  private let address: NodeAddress
  private let first: UnsafeMutablePointer<addrinfo>?

  init(_ address: NodeAddress) throws(ClusterError) {
    self.address = address
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = streamSocket
    var result: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(address.host, String(address.port), &hints, &result)
    guard code == 0 else {
      throw ClusterError(
        .unreachable, "the host is unknown: \(unsafe String(cString: gai_strerror(code)))",
        node: address)
    }
    unsafe first = result
  }

  deinit { if let first = unsafe first { unsafe freeaddrinfo(first) } }

  func connect(until deadline: ContinuousClock.Instant) throws(ClusterError) -> CInt {
    var next = unsafe first
    var error = ClusterError(.unreachable, "the host has no address", node: address)
    while let info = unsafe next {
      do throws(ClusterError) {
        return try unsafe connect(info.pointee, until: deadline)
      } catch let failure {
        error = failure
      }
      unsafe next = info.pointee.ai_next
    }
    throw error
  }

  private func connect(
    _ info: addrinfo, until deadline: ContinuousClock.Instant
  ) throws(ClusterError) -> CInt {
    let descriptor = unsafe socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    guard descriptor >= 0 else { throw failure(systemError()) }
    do throws(ClusterError) {
      try prepare(descriptor)
      let status = unsafe systemConnect(descriptor, info.ai_addr, info.ai_addrlen)
      if status != 0 { try finishConnecting(descriptor, until: deadline) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Calls do not block, messages are sent at once, and a closed connection raises no signal.
  private func prepare(_ descriptor: CInt) throws(ClusterError) {
    let flags = fcntl(descriptor, F_GETFL, 0)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
      setOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY)
    else { throw failure(systemError()) }
    #if canImport(Darwin)
      guard setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE) else { throw failure(systemError()) }
    #endif
  }

  private func setOption(_ descriptor: CInt, _ level: CInt, _ option: CInt) -> Bool {
    var one: CInt = 1
    return unsafe setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<CInt>.size))
      == 0
  }

  private func finishConnecting(
    _ descriptor: CInt, until deadline: ContinuousClock.Instant
  ) throws(ClusterError) {
    guard errno == EINPROGRESS || errno == EINTR else { throw failure(systemError()) }
    guard wait(descriptor, for: CInt(POLLOUT), until: deadline) else {
      throw ClusterError(.timeout, "the connection is not accepted in time", node: address)
    }
    var code: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    guard status == 0, code == 0 else { throw failure(systemError(code == 0 ? errno : code)) }
  }

  private func failure(_ reason: String) -> ClusterError {
    ClusterError(
      .unreachable, "no connection: \(reason). Check that the node runs, and its address",
      node: address)
  }
}

/// Waits until a socket is ready, or has an error that the next call returns. Returns false after
/// the deadline.
private func wait(
  _ descriptor: CInt, for events: CInt, until deadline: ContinuousClock.Instant
) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  while true {
    let rest = (deadline - .now) / .milliseconds(1)
    // Rounded up: an instant that is not reached yet must not become a busy loop.
    let milliseconds = CInt(min(max(rest.rounded(.up), 0), 3_600_000))
    let count = unsafe poll(&request, 1, milliseconds)
    if count > 0 { return true }
    if count == 0 && rest <= Double(milliseconds) { return false }
    if count < 0 && errno != EINTR { return true }
  }
}

/// Has the system acknowledge what comes in: a node sends the answer to the second of two requests
/// only when the first one is acknowledged, which would take 40 milliseconds.
///
/// See `TCP_QUICKACK` in <https://man7.org/linux/man-pages/man7/tcp.7.html>: it does not last.
private func acknowledgeAtOnce(_ descriptor: CInt) {
  #if os(Linux)
    var one: CInt = 1
    _ = unsafe setsockopt(
      descriptor, CInt(IPPROTO_TCP), TCP_QUICKACK, &one, socklen_t(MemoryLayout<CInt>.size))
  #endif
}

private func systemError(_ code: CInt = errno) -> String { unsafe String(cString: strerror(code)) }

// The same calls have other names here, and the constant another type.
private var streamSocket: CInt {
  #if canImport(Glibc)
    CInt(SOCK_STREAM.rawValue)
  #else
    SOCK_STREAM
  #endif
}

private func systemConnect(
  _ descriptor: CInt, _ address: UnsafeMutablePointer<sockaddr>?, _ size: socklen_t
) -> CInt { unsafe connect(descriptor, address, size) }

private func systemSend(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if os(Linux)
    unsafe send(descriptor, bytes, count, CInt(MSG_NOSIGNAL))
  #else
    unsafe send(descriptor, bytes, count, 0)
  #endif
}

/// The address of a node: a host and a port.
///
/// ```swift
/// let address = try NodeAddress("10.0.0.1:9001")
/// let other = try NodeAddress("[fd00::1]:9001")
/// ```
public struct NodeAddress: Hashable, Sendable {
  /// A name, or an address of IPv4 or IPv6, without brackets.
  public let host: String

  /// The port, from 1 to 65,535.
  public let port: UInt16

  /// Reads `host:port`. The host is in brackets if it has colons.
  ///
  /// - throws: ``ClusterError`` for another text.
  public init(_ text: String) throws(ClusterError) {
    func error(_ reason: String) -> ClusterError {
      ClusterError(
        .invalidAddress,
        "\"\(text)\" is no address of a node: \(reason). Write host:port, such as 10.0.0.1:9001, "
          + "or [fd00::1]:9001")
    }
    guard let colon = text.lastIndex(of: ":") else { throw error("it has no port") }
    let digits = text[text.index(after: colon)...]
    guard let port = UInt16(digits), port > 0, digits.allSatisfy(\.isNumber) else {
      throw error("its port is not a number from 1 to 65535")
    }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw error("a host with colons needs brackets")
    }
    guard !host.isEmpty else { throw error("it has no host") }
    guard host.unicodeScalars.allSatisfy({ $0.value > 32 && $0 != "[" && $0 != "]" }) else {
      throw error("its host has spaces, brackets or control characters")
    }
    (self.host, self.port) = (String(host), port)
  }
}

extension NodeAddress: CustomStringConvertible {
  /// The address, as it is read.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension NodeAddress: Codable {
  /// Reads a text.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// Writes a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

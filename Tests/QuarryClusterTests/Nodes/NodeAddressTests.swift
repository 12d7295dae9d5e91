import Foundation
import QuarryCluster
import Testing

@Suite("Addresses of nodes")
struct NodeAddressTests {
  @Test(arguments: [
    ("10.0.0.1:9001", "10.0.0.1", 9001), ("db-1.example.com:1", "db-1.example.com", 1),
    ("[fd00::1]:65535", "fd00::1", 65535), ("localhost:080", "localhost", 80),
  ])
  func `an address is a host and a port`(_ text: String, _ host: String, _ port: UInt16) throws {
    let address = try NodeAddress(text)
    #expect(address.host == host && address.port == port)
    #expect(try NodeAddress(address.description) == address)
  }

  @Test(arguments: [
    ("", "it has no port"), ("host", "it has no port"), (":9001", "it has no host"),
    ("[]:1", "it has no host"), ("host:", "its port is not a number"),
    ("host:0", "its port is not a number"), ("host:65536", "its port is not a number"),
    ("host:+1", "its port is not a number"), ("host:-1", "its port is not a number"),
    ("fd00::1:9001", "a host with colons needs brackets"), ("a b:1", "its host has spaces"),
    ("a\0b:1", "its host has spaces"), ("[[a]]:1", "its host has spaces"),
  ])
  func `other texts are none`(_ text: String, _ reason: String) throws {
    let error = try #require(throws: ClusterError.self) { _ = try NodeAddress(text) }
    #expect(error.code == .invalidAddress)
    #expect(error.message.contains("is no address of a node: \(reason)"))
    #expect(error.message.contains("Write host:port"))
  }

  @Test func `addresses are texts in JSON`() throws {
    let json = Data(#"["10.0.0.1:9001"]"#.utf8)
    let addresses = try JSONDecoder().decode([NodeAddress].self, from: json)
    #expect(addresses == [try NodeAddress("10.0.0.1:9001")])
    #expect(try JSONEncoder().encode(addresses) == json)
    #expect(throws: ClusterError.self) {
      try JSONDecoder().decode([NodeAddress].self, from: Data(#"["here"]"#.utf8))
    }
  }
}

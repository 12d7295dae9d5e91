extension NodeSession {
  /// The node that leads the cluster, as this one knows it.
  func leader() throws -> (id: UInt64, address: NodeAddress)? {
    var body = try ask(.leader, for: .server).body
    let (id, text) = try parse { () throws(WireError) in (try body.word(), try body.text()) }
    guard id != 0, !text.isEmpty else { return nil }
    return (id, try NodeAddress(text))
  }

  /// The nodes of the cluster, as this one knows them.
  func members() throws -> [ClusterMember] {
    var body = try ask(.members, for: .servers).body
    let members = try parse { () throws(WireError) in
      let count = try body.count(ofItemsWithBytes: 24)
      var members: [(id: UInt64, address: String, role: ClusterMember.Role)] = []
      for _ in 0..<count {
        let (id, address, number) = (try body.word(), try body.text(), try body.word())
        guard let role = ClusterMember.Role(rawValue: number) else {
          throw WireError(reason: "a node has the unknown role \(number)")
        }
        members.append((id, address, role))
      }
      return members
    }
    return try members.map {
      ClusterMember(id: $0.id, address: try NodeAddress($0.address), role: $0.role)
    }
  }
}

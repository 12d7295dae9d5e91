// The nodes of a cluster. Without a cluster, the functions are not called.

import QuarryCluster

func administrate() throws {
  // snippet.administration
  let administration = try ClusterAdministration(nodes: ["10.0.0.1:9001", "10.0.0.2:9001"])
  try administration.add(4, at: NodeAddress("10.0.0.4:9001"), role: .standby)
  for node in try administration.status() {
    print(node.member.id, node.member.role, node.error?.message ?? "answers")
  }
  try administration.dump("library", to: "/backups/library.sqlite")
  // snippet.end
}

func transfer(_ administration: ClusterAdministration) throws {
  // snippet.errors
  do {
    try administration.transferLeadership(to: 2)
  } catch let error where error.code == .noLeader {
    // no node leads the cluster of 10.0.0.1:9001, 10.0.0.2:9001: more than half of its voters have
    // to run, and to reach each other. …
    print(error)
  }
  // snippet.end
}

if CommandLine.arguments.contains("--run") {
  try administrate()
  try transfer(ClusterAdministration(nodes: ["10.0.0.1:9001", "10.0.0.2:9001"]))
}

let administration = try ClusterAdministration(nodes: ["10.0.0.1:9001"])

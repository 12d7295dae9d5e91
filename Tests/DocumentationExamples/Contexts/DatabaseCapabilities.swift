let cluster = try DatabaseCluster(nodes: ["10.0.0.1:9001"], name: "library")

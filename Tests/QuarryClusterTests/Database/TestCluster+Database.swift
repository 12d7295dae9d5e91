// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryCluster

  extension TestCluster {
    /// Runs a test with a database of a cluster, which has authors and books.
    static func withDatabase(
      nodes count: Int = 1, configuration: Configuration = Configuration(),
      options: ClusterOptions = ClusterOptions(),
      _ body: (TestCluster, DatabaseCluster) throws -> Void
    ) throws {
      try with(nodes: count) { nodes in
        let cluster = try nodes.database(configuration: configuration, options: options)
        try cluster.write { db in
          try db.execute(
            sql: """
              CREATE TABLE author (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, country TEXT, birthYear INTEGER);
              CREATE TABLE book (
                id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER,
                price DOUBLE CHECK (price > 0), publisherId INTEGER,
                authorId INTEGER REFERENCES author ON DELETE CASCADE);
              """)
        }
        try body(nodes, cluster)
      }
    }

    func database(
      _ name: String = "library", configuration: Configuration = Configuration(),
      options: ClusterOptions = ClusterOptions()
    ) throws -> DatabaseCluster {
      try DatabaseCluster(
        nodes: addresses, name: name, configuration: configuration, options: options)
    }
  }
#endif

// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  traits: [
    .trait(name: "Macros", description: "The lines of records by macro, which need swift-syntax.")
  ],
  dependencies: [
    .package(
      name: "Quarry", path: "..",
      traits: [.trait(name: "Macros", condition: .when(traits: ["Macros"]))]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLiteBench",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "Counters"),
    .target(name: "Harness", swiftSettings: settings),
    .target(
      name: "ByHand", dependencies: ["Harness", "CSQLiteBench"], swiftSettings: settings),
    .target(
      name: "WithQuarry",
      dependencies: [
        "Harness", .product(name: "Quarry", package: "Quarry"),
        .product(
          name: "QuarryMacros", package: "Quarry", condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: settings),
    // WithGRDB is a link to the sources of WithQuarry: the same program under another import.
    .target(
      name: "WithGRDB",
      dependencies: ["Harness", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings + [.define("PEER")]),
    // The programs in Studies are no part of the gate.
    .executableTarget(
      name: "Growth",
      dependencies: [
        "Harness", "ByHand", "WithQuarry", "WithGRDB",
        .product(name: "Quarry", package: "Quarry"),
      ],
      path: "Studies/Growth", swiftSettings: settings),
    .executableTarget(
      name: "Accesses", dependencies: ["Harness", "ByHand", "WithQuarry", "WithGRDB"],
      path: "Studies/Accesses", swiftSettings: settings),
    .executableTarget(
      name: "Observations", dependencies: ["Harness", "WithQuarry", "WithGRDB"],
      path: "Studies/Observations", swiftSettings: settings),
    .executableTarget(
      name: "Recording",
      dependencies: [
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "QuarryChanges", package: "Quarry"),
        .product(name: "CSQLite", package: "Quarry"),
      ],
      path: "Studies/Recording", swiftSettings: settings),
    .executableTarget(
      name: "Clusters",
      dependencies: [
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "QuarryCluster", package: "Quarry"),
      ],
      path: "Studies/Clusters", swiftSettings: settings),
    .executableTarget(
      name: "Tenants",
      dependencies: [
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "QuarryDirectory", package: "Quarry"),
      ],
      path: "Studies/Tenants", swiftSettings: settings),
    .executableTarget(
      name: "Followers", dependencies: [.product(name: "Quarry", package: "Quarry")],
      path: "Studies/Followers", swiftSettings: settings),
    .executableTarget(
      name: "Memory",
      dependencies: [
        "Harness", "Counters", "ByHand", "WithQuarry", "WithGRDB",
        .product(name: "Quarry", package: "Quarry"),
      ],
      path: "Studies/Memory", swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Harness", "Counters", "ByHand", "WithQuarry", "WithGRDB",
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "QuarryTables", package: "Quarry"),
      ],
      swiftSettings: settings),
  ]
)

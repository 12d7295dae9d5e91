// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let quarry = Target.Dependency.product(name: "Quarry", package: "Quarry")
let tables = Target.Dependency.product(name: "QuarryTables", package: "Quarry")
let migrations = Target.Dependency.product(name: "QuarryMigrations", package: "Quarry")
let cluster = Target.Dependency.product(name: "QuarryCluster", package: "Quarry")
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "Tools",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "quarry", targets: ["QuarryTool"]),
    .library(name: "QuarryMigrateCommand", targets: ["QuarryMigrateCommand"]),
    // A node of a cluster: see Scripts/dqlite.
    .executable(name: "quarry-node", targets: ["QuarryNode"]),
  ],
  traits: [
    .trait(name: "Node", description: "quarry-node with dqlite, which Scripts/dqlite builds.")
  ],
  dependencies: [
    .package(name: "Quarry", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
  ],
  targets: [
    // The name differs from that of the library by more than the case of a letter: file systems may
    // not see it.
    .executableTarget(
      name: "QuarryTool", dependencies: [quarry, tables, migrations, cluster, arguments],
      swiftSettings: settings),
    .target(
      name: "QuarryMigrateCommand", dependencies: [quarry, migrations, arguments],
      swiftSettings: settings),
    .systemLibrary(name: "CDqlite", pkgConfig: "dqlite"),
    .executableTarget(
      name: "QuarryNode",
      dependencies: [arguments, .target(name: "CDqlite", condition: .when(traits: ["Node"]))],
      swiftSettings: settings),
    .executableTarget(
      name: "MigrateTarget", dependencies: ["QuarryMigrateCommand", quarry, arguments],
      path: "Tests/MigrateTarget", swiftSettings: settings),
    .testTarget(
      name: "QuarryToolTests",
      dependencies: ["QuarryTool", "MigrateTarget", quarry],
      swiftSettings: settings),
  ]
)

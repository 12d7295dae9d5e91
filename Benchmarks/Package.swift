// swift-tools-version: 6.0

import Foundation
import PackageDescription

// Until the library compiles, the Quarry side is left out: QUARRY_BENCH=1 brings it in.
let hasQuarry = ProcessInfo.processInfo.environment["QUARRY_BENCH"] == "1"

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
  ] + (hasQuarry ? [.package(name: "Quarry", path: "..")] : []),
  targets: [
    .systemLibrary(
      name: "CSQLiteBench",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "Counters"),
    .target(name: "Harness", swiftSettings: settings),
    .target(
      name: "ByHand", dependencies: ["Harness", "CSQLiteBench"], swiftSettings: settings),
    // WithGRDB is a link to the sources of WithQuarry: the same program under another import.
    .target(
      name: "WithGRDB",
      dependencies: ["Harness", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings + [.define("PEER")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["Harness", "Counters", "ByHand", "WithGRDB"]
        + (hasQuarry ? ["WithQuarry"] : []),
      swiftSettings: settings + (hasQuarry ? [.define("QUARRY")] : [])),
  ]
    + (hasQuarry
      ? [
        .target(
          name: "WithQuarry",
          dependencies: ["Harness", .product(name: "Quarry", package: "Quarry")],
          swiftSettings: settings)
      ] : [])
)

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Sync",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "Quarry", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "Sync",
      dependencies: [
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "QuarryChanges", package: "Quarry"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "SyncTests",
      dependencies: ["Sync", .product(name: "Quarry", package: "Quarry")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)

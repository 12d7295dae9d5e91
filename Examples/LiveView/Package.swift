// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "LiveView",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "Quarry", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "LiveView",
      dependencies: [
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "QuarryChanges", package: "Quarry"),
        .product(name: "CSQLite", package: "Quarry"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "LiveViewTests", dependencies: ["LiveView"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)

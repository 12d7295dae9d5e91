// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "Quarry", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "Notes",
      dependencies: [
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "QuarryTables", package: "Quarry"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "NotesTests",
      dependencies: ["Notes", .product(name: "QuarryTables", package: "Quarry")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)

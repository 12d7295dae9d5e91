// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Import",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Quarry", path: "../..")],
  targets: [
    .executableTarget(
      name: "Import", dependencies: [.product(name: "Quarry", package: "Quarry")]),
    .testTarget(name: "ImportTests", dependencies: ["Import"]),
  ],
  swiftLanguageModes: [.v6]
)

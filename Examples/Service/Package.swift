// swift-tools-version: 6.2

import PackageDescription

let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")

let package = Package(
  name: "Service",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Quarry", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Service",
      dependencies: [
        hummingbird,
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "ServiceTests", dependencies: ["Service", hummingbird],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)

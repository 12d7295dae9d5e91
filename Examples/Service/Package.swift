// swift-tools-version: 6.2

import PackageDescription

let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")

let package = Package(
  name: "Service",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Quarry", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
  ],
  targets: [
    .executableTarget(
      name: "Service",
      dependencies: [hummingbird, .product(name: "Quarry", package: "Quarry")]),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Service", hummingbird, .product(name: "HummingbirdTesting", package: "hummingbird"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

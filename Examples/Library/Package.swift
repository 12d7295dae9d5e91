// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Library",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Quarry", path: "../..")],
  targets: [
    .executableTarget(
      name: "Library",
      dependencies: [.product(name: "Quarry", package: "Quarry")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)

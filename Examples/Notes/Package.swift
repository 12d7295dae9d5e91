// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Quarry", path: "../..")],
  targets: [
    .executableTarget(
      name: "Notes", dependencies: [.product(name: "Quarry", package: "Quarry")]),
    .testTarget(name: "NotesTests", dependencies: ["Notes"]),
  ],
  swiftLanguageModes: [.v6]
)

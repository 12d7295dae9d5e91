// swift-tools-version: 6.2

// The site of the manual: `make docs`. A package of its own, so that users of Quarry don't resolve the plugin.

import PackageDescription

let package = Package(
  name: "Site",
  dependencies: [
    .package(name: "Quarry", path: ".."),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"),
  ],
  targets: [
    .target(name: "Site", dependencies: ["Quarry"])
  ]
)

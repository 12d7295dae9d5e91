// swift-tools-version: 6.2

import PackageDescription

// The program of Examples/Library with records by macro, in Records.swift. Questions.swift imports
// another module, and has one condition in a closure; the other files are links.
let package = Package(
  name: "LibraryByMacro",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Quarry", path: "../../..", traits: ["Macros"])],
  targets: [
    .executableTarget(
      name: "LibraryByMacro",
      dependencies: [.product(name: "QuarryMacros", package: "Quarry")],
      path: "Sources/Library",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)

// swift-tools-version: 6.2

import PackageDescription

// The tests of records by macro. They are a package of their own, so that the tests of the library
// are built without the trait, and these ones without the tests of the library.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]

let macros = Target.Dependency.product(name: "QuarryMacros", package: "Quarry")

/// Another product of the library.
func product(_ name: String) -> Target.Dependency { .product(name: name, package: "Quarry") }

let package = Package(
  name: "MacroTests",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Quarry", path: "../..", traits: ["Macros"])],
  targets: [
    .testTarget(
      name: "MacroTests", dependencies: [macros, product("QuarryMigrations")],
      swiftSettings: settings),
    // Records by macro with the protocols and values of other products.
    .testTarget(
      name: "MacroProductTests",
      dependencies: [
        macros, product("QuarryRecords"), product("QuarryValues"), product("QuarryMigrations"),
      ], swiftSettings: settings),
    // The filters of an application: none may take the compiler long.
    .testTarget(
      name: "MacroFilterTests", dependencies: [macros],
      swiftSettings: settings + [
        .unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=200"])
      ]),
    // Records that the command-line tool writes.
    .testTarget(
      name: "GeneratedRecordTests", dependencies: [macros, product("QuarryMigrations")],
      swiftSettings: settings),
    .testTarget(
      name: "MacroIsolationTests", dependencies: [macros],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
  ]
)

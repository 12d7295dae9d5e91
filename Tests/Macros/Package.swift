// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

// The tests of records by macro. They are a package of their own, so that the tests of the library
// are built without the trait, and these ones without the tests of the library.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]

func syntax(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-syntax") }

let package = Package(
  name: "MacroTests",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "Quarry", path: "../..", traits: ["Macros"]),
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0"),
  ],
  targets: [
    // The sources of the plugin, by a link: targets of another package can't be tested.
    .macro(
      name: "MacroImplementation",
      dependencies: [
        syntax("SwiftSyntax"), syntax("SwiftSyntaxBuilder"), syntax("SwiftSyntaxMacros"),
        syntax("SwiftParser"), syntax("SwiftDiagnostics"), syntax("SwiftCompilerPlugin"),
      ],
      swiftSettings: settings + [.define("Macros")]),
    .testTarget(
      name: "MacroExpansionTests",
      dependencies: [
        "MacroImplementation", syntax("SwiftSyntaxMacroExpansion"),
        syntax("SwiftSyntaxMacrosGenericTestSupport"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MacroTests",
      dependencies: [.product(name: "QuarryMacros", package: "Quarry")], swiftSettings: settings),
    .testTarget(
      name: "MacroIsolationTests",
      dependencies: [.product(name: "QuarryMacros", package: "Quarry")],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
  ]
)

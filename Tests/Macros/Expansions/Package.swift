// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

// The tests of what macros expand to, and of the mistakes that they report. Apart from those of
// Tests/Macros: a test of a macro is built for the host, and the library would be compiled twice.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]

func syntax(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-syntax") }

let package = Package(
  name: "MacroExpansions",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0")
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
        "MacroImplementation", syntax("SwiftSyntax"), syntax("SwiftSyntaxBuilder"),
        syntax("SwiftSyntaxMacros"), syntax("SwiftSyntaxMacroExpansion"),
        syntax("SwiftSyntaxMacrosGenericTestSupport"),
      ],
      swiftSettings: settings),
  ]
)

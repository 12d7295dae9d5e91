// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A product of swift-syntax, which is resolved and built for the trait `Macros` only.
func syntax(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

let package = Package(
  name: "Quarry",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
  products: [
    .library(name: "Quarry", targets: ["Quarry"]),
    // The functions of SQL for strings, numbers, dates and windows, calls by name; CASE.
    .library(name: "QuarryFunctions", targets: ["QuarryFunctions"]),
    // Accesses that are repeated when they meet a lock; the rows of an access in batches, for a task.
    .library(name: "QuarryAccess", targets: ["QuarryAccess"]),
    // Blobs that are read and written in parts; databases as bytes.
    .library(name: "QuarryBlobs", targets: ["QuarryBlobs"]),
    // Virtual tables written in Swift; CSV files, series and collections as tables; stems,
    // highlights, combined patterns, and checks of indexes for full-text search; extensions of SQLite.
    .library(name: "QuarryTables", targets: ["QuarryTables"]),
    // Changes as values: recorded, applied to other databases, undone.
    .library(name: "QuarryChanges", targets: ["QuarryChanges"]),
    // Pages of requests, which begin at the values of a row.
    .library(name: "QuarryPages", targets: ["QuarryPages"]),
    // Query plans as values.
    .library(name: "QuarryPlans", targets: ["QuarryPlans"]),
    // Checks of plans, for tests and debug builds.
    .library(name: "QuarryTesting", targets: ["QuarryTesting"]),
    // Durations of accesses and statements, counters of SQLite, slow statements.
    .library(name: "QuarryMetrics", targets: ["QuarryMetrics"]),
    // Versions, soft deletion and the history of records; records saved with their associated
    // records; links of many-to-many associations; right, full and cross joins; writes to chosen
    // tables, insertions of the rows of requests.
    .library(name: "QuarryRecords", targets: ["QuarryRecords"]),
    // Table rebuilds, triggers, schemas as values; the progress of migrations; migrations
    // rehearsed, from files, down, and drafted; drift; records compared with the schema.
    .library(name: "QuarryMigrations", targets: ["QuarryMigrations"]),
    // Durations, integers of 128 bits, and bytes as database values.
    .library(name: "QuarryValues", targets: ["QuarryValues"]),
    // The nodes of a cluster of dqlite.
    .library(name: "QuarryCluster", targets: ["QuarryCluster"]),
    // Many databases in the files of a folder, one for each tenant.
    .library(name: "QuarryDirectory", targets: ["QuarryDirectory"]),
    // Passphrases of encrypted databases: they need the trait `SQLCipher`.
    .library(name: "QuarryEncryption", targets: ["QuarryEncryption"]),
    // The C functions of the SQLite that Quarry uses, for applications that call them.
    .library(name: "CSQLite", targets: ["CSQLite"]),
    // Records by macro, with typed columns: empty without the trait `Macros`.
    .library(name: "QuarryMacros", targets: ["QuarryMacros"]),
  ],
  traits: [
    .trait(
      name: "Macros",
      description: "The product QuarryMacros: `@Record`, and columns whose types are checked."),
    .trait(
      name: "SQLCipher",
      description:
        "SQLCipher in the place of SQLite: databases may be encrypted (QuarryEncryption)."),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0")
  ],
  targets: [
    // SQLite, of one of two libraries. Neither has a `pkgConfig`, whose flags would link it into
    // all programs: the one that is imported is linked by its module map.
    .systemLibrary(name: "CSystemSQLite"),
    .systemLibrary(name: "CSQLCipher"),
    .target(
      name: "CSQLite",
      dependencies: [
        "CSystemSQLite", .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
      ],
      swiftSettings: settings),
    .target(
      name: "Quarry", dependencies: ["CSQLite"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .macro(
      name: "QuarryMacroPlugin",
      dependencies: [
        syntax("SwiftSyntax"), syntax("SwiftSyntaxBuilder"), syntax("SwiftSyntaxMacros"),
        syntax("SwiftParser"),
        syntax("SwiftDiagnostics"), syntax("SwiftCompilerPlugin"),
      ],
      swiftSettings: settings),
    .target(
      name: "QuarryMacros", dependencies: ["Quarry", "QuarryMacroPlugin"], swiftSettings: settings),
    .target(
      name: "QuarryFunctions", dependencies: ["Quarry"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryAccess", dependencies: ["Quarry"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryBlobs", dependencies: ["Quarry", "CSQLite"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryTables", dependencies: ["Quarry", "CSQLite"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryPages", dependencies: ["Quarry"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryChanges", dependencies: ["Quarry", "QuarryPages", "CSQLite"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryPlans", dependencies: ["Quarry"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryTesting", dependencies: ["Quarry", "QuarryPlans"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryMetrics", dependencies: ["Quarry", "QuarryPlans", "CSQLite"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryRecords", dependencies: ["Quarry"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryMigrations", dependencies: ["Quarry", "CSQLite"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryValues", dependencies: ["Quarry"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryCluster", dependencies: ["Quarry"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryDirectory", dependencies: ["Quarry", "QuarryMigrations"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "QuarryEncryption", dependencies: ["Quarry", "CSQLite"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(name: "RandomNumbers", path: "Tests/RandomNumbers", swiftSettings: settings),
    .target(
      name: "TemporaryDirectories", path: "Tests/TemporaryDirectories", swiftSettings: settings),
    .target(
      name: "QuarryTestSupport",
      dependencies: ["Quarry", "QuarryTables", "RandomNumbers", "TemporaryDirectories"],
      path: "Tests/QuarryTestSupport", swiftSettings: settings),
    .executableTarget(
      name: "KillTarget",
      dependencies: ["Quarry", "QuarryAccess", "QuarryChanges", "QuarryMigrations"],
      path: "Tests/KillTarget", swiftSettings: settings),
    // Nodes of a cluster that are killed while clients write.
    .target(
      name: "NodeProcesses", dependencies: ["QuarryCluster"], path: "Tests/NodeProcesses",
      swiftSettings: settings),
    .executableTarget(
      name: "ClusterCampaign",
      dependencies: [
        "Quarry", "QuarryCluster", "NodeProcesses", "RandomNumbers", "TemporaryDirectories",
      ],
      path: "Tests/ClusterCampaign", exclude: ["LOCAL.md"], swiftSettings: settings),
    // Faults below SQLite: a file system and an allocator that fail, the uses of the library that
    // meet them, and a process that runs them alone.
    .target(name: "CFaults", path: "Tests/CFaults"),
    .target(
      name: "FaultCampaign",
      dependencies: [
        "Quarry", "QuarryAccess", "QuarryBlobs", "QuarryMigrations", "CSQLite", "CFaults",
        "TemporaryDirectories",
      ],
      path: "Tests/FaultCampaign", swiftSettings: settings),
    .executableTarget(
      name: "FaultTarget", dependencies: ["FaultCampaign", "KillTarget", "RandomNumbers"],
      path: "Tests/FaultTarget", swiftSettings: settings),
    // Texts, bytes and files that are nearly right, by chance or guided by libFuzzer.
    .target(name: "CFuzz", path: "Tests/CFuzz"),
    .executableTarget(
      name: "FuzzTarget",
      dependencies: [
        "Quarry", "QuarryBlobs", "QuarryMigrations", "QuarryTables", "CSQLite", "CFuzz",
        "RandomNumbers",
      ],
      path: "Tests/FuzzTarget", exclude: ["Corpus"], swiftSettings: settings),
    .testTarget(
      name: "ReliabilityTests",
      dependencies: [
        "Quarry", "CSQLite", "FaultCampaign", "FaultTarget", "FuzzTarget", "KillTarget",
        "QuarryTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FoundationTests", dependencies: ["Quarry", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LanguageTests", dependencies: ["Quarry", "QuarryFunctions", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "EngineTests",
      dependencies: [
        "Quarry", "QuarryBlobs", "QuarryChanges", "QuarryFunctions", "QuarryMigrations",
        "QuarryTestSupport",
        "KillTarget",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QueryTests",
      dependencies: [
        "Quarry", "QuarryFunctions", "QuarryMigrations", "QuarryRecords", "QuarryTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RecordTests",
      dependencies: [
        "Quarry", "QuarryBlobs", "QuarryFunctions", "QuarryMigrations", "QuarryRecords",
        "QuarryTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RequestTests",
      dependencies: [
        "Quarry", "QuarryFunctions", "QuarryMigrations", "QuarryRecords", "QuarryTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ExtensionTests",
      dependencies: ["Quarry", "QuarryMigrations", "QuarryTables", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ObservationTests",
      dependencies: [
        "Quarry", "QuarryBlobs", "QuarryChanges", "QuarryRecords", "QuarryTables",
        "QuarryTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryAccessTests",
      dependencies: ["Quarry", "QuarryAccess", "QuarryTestSupport", "KillTarget"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryBlobsTests",
      dependencies: ["Quarry", "QuarryBlobs", "QuarryTables", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryFunctionsTests",
      dependencies: ["Quarry", "QuarryFunctions", "QuarryTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "QuarryTablesTests",
      dependencies: [
        "Quarry", "QuarryFunctions", "QuarryRecords", "QuarryTables", "QuarryTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryChangesTests",
      dependencies: [
        "Quarry", "QuarryBlobs", "QuarryChanges", "QuarryFunctions", "CSQLite",
        "QuarryTestSupport", "KillTarget",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryPagesTests",
      dependencies: [
        "Quarry", "QuarryFunctions", "QuarryPages", "QuarryRecords", "QuarryTables",
        "QuarryTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryPlansTests", dependencies: ["Quarry", "QuarryPlans", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryTestingTests", dependencies: ["Quarry", "QuarryTesting", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryMetricsTests", dependencies: ["Quarry", "QuarryMetrics", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryRecordsTests",
      dependencies: [
        "Quarry", "QuarryMigrations", "QuarryPlans", "QuarryRecords", "QuarryTestSupport",
        "RandomNumbers",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryMigrationsTests",
      dependencies: ["Quarry", "QuarryMigrations", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryValuesTests",
      dependencies: ["Quarry", "QuarryValues", "QuarryTestSupport", "RandomNumbers"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryClusterTests",
      dependencies: [
        "Quarry", "QuarryBlobs", "QuarryCluster", "QuarryTables", "NodeProcesses",
        "QuarryTestSupport", "RandomNumbers",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryDirectoryTests",
      dependencies: ["Quarry", "QuarryDirectory", "QuarryTestSupport", "RandomNumbers"],
      swiftSettings: settings),
    .testTarget(
      name: "QuarryEncryptionTests",
      dependencies: ["Quarry", "QuarryEncryption", "FaultCampaign", "QuarryTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "APITests",
      dependencies: [
        "Quarry", "QuarryBlobs", "QuarryChanges", "QuarryFunctions", "QuarryMigrations",
        "QuarryPages", "QuarryPlans", "QuarryRecords", "QuarryTables", "QuarryValues",
      ],
      exclude: ["MISSING.md"],
      swiftSettings: settings),
    .testTarget(
      name: "ChinookTests", dependencies: ["Quarry", "QuarryTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "Quarry", "QuarryAccess", "QuarryMigrations", "QuarryRecords", "QuarryTesting",
        "QuarryTestSupport",
      ],
      swiftSettings: settings),
  ]
)

// The tests of the optimized library (`Scripts/test`) are not optimized themselves, which would
// take longer than all else: apart from those that use the library as applications do.
if Context.environment["QUARRY_TESTS"] == "unoptimized" {
  let optimized = ["FoundationTests", "ChinookTests", "GuideTests"]
  for target in package.targets where target.type == .test && !optimized.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
  }
}

// Some of the tests only, as `Scripts/sqlcipher` and `Scripts/mutants` build them.
if let names = Context.environment["QUARRY_TEST_TARGETS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Telemetry",
  platforms: [.macOS(.v13)],
  products: [.library(name: "Telemetry", targets: ["Telemetry"])],
  dependencies: [
    .package(name: "Quarry", path: "../.."),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.2.0"),
  ],
  targets: [
    .target(
      name: "Telemetry",
      dependencies: [
        .product(name: "Quarry", package: "Quarry"),
        .product(name: "QuarryMetrics", package: "Quarry"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "TelemetryTests",
      dependencies: [
        "Telemetry",
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)

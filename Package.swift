// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target but the tests.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Settings of the targets that a request passes through.
///
/// The checks of exclusive access at run time were a sixth of an insert's instructions
/// (Docs/performance.md); debug builds and tests keep them.
let hot =
  strict + [
    .unsafeFlags(
      ["-enforce-exclusivity=unchecked", "-Xfrontend", "-assume-single-threaded"],
      .when(configuration: .release))
  ]

/// Settings of the C that people write here (not of generated C).
let strictC: [CSetting] = [
  .unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
]

let package = Package(
  name: "hpd",
  products: [
    .executable(name: "hpd", targets: ["hpd"]),
    .executable(name: "hpctl", targets: ["hpctl"]),
    .library(name: "Wire", targets: ["Wire"]),
    .library(name: "TableService", targets: ["TableService"]),
    .library(name: "Nib", targets: ["Nib"]),
    .library(name: "hpclient", targets: ["hpclient"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CProtobufC", pkgConfig: "libprotobuf-c", providers: [.apt(["libprotobuf-c-dev"])]),
    .systemLibrary(
      name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CCSV", providers: [.apt(["libcsv-dev"])]),
    .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
    .systemLibrary(
      name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CHPSystem", cSettings: strictC),
    .target(name: "CTerminal", cSettings: strictC),
    .target(name: "CHPProto", dependencies: ["CProtobufC"]),
    .target(name: "Coding", swiftSettings: hot),
    .target(
      name: "Wire", dependencies: ["Coding", "CHPProto", "CProtobufC"], swiftSettings: hot),
    .target(
      name: "TableService", dependencies: ["Coding", "CHPSystem", "CSQLite", "CUnistring"],
      swiftSettings: hot),
    .target(name: "Scenes", dependencies: ["Coding"], swiftSettings: strict),
    .target(name: "Nib", dependencies: ["CXML2"], swiftSettings: hot),
    .target(
      name: "hpclient", dependencies: ["CHPProto"],
      exclude: ["hpclient.map", "hpclient.pc.in", "Makefile"], cSettings: strictC),
    .executableTarget(
      name: "hpd",
      dependencies: ["Wire", "TableService", "Scenes", "Nib", "CHPSystem", "Coding"],
      swiftSettings: hot),
    .executableTarget(
      name: "hpctl", dependencies: ["hpclient", "CJansson", "CCSV", "CUnistring", "CTerminal"],
      swiftSettings: strict),
    .target(name: "HouseSupport", path: "Tests/HouseSupport"),
    .target(
      name: "FaultLayer", dependencies: ["CSQLite"], path: "Tests/FaultLayer", cSettings: strictC),
    .testTarget(name: "CodingTests", dependencies: ["Coding", "HouseSupport"]),
    .testTarget(name: "WireTests", dependencies: ["Wire", "CHPProto", "HouseSupport"]),
    .testTarget(
      name: "TableServiceTests",
      dependencies: ["TableService", "CHPProto", "CSQLite", "FaultLayer", "HouseSupport"]),
    .testTarget(name: "SceneTests", dependencies: ["Scenes", "Coding", "HouseSupport"]),
    .testTarget(name: "NibTests", dependencies: ["Nib", "HouseSupport"], exclude: ["Bundle"]),
    .testTarget(name: "CommandTests", dependencies: ["hpctl", "HouseSupport"]),
    .testTarget(
      name: "DaemonTests",
      dependencies: ["hpd", "Wire", "TableService", "Nib", "CHPSystem", "HouseSupport"],
      exclude: ["Python"]),
  ],
  swiftLanguageModes: [.v6]
)

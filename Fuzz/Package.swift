// swift-tools-version: 6.2
import PackageDescription

// Built and run by dev/fuzz.sh, which adds the sanitizers to all targets.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "hpd", path: "..")],
  targets: [
    .systemLibrary(name: "CFuzzer"),
    .executableTarget(
      name: "FuzzFrame",
      dependencies: ["CFuzzer", .product(name: "Wire", package: "hpd")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "FuzzNib",
      dependencies: ["CFuzzer", .product(name: "Nib", package: "hpd")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
  ],
  swiftLanguageModes: [.v6]
)
